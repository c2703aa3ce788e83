import FileWorker
import Foundation
import Geometry
import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import AnnotationWorker

/// Sixty photos as programs and cameras write them: a rating, a keyword and a rotation change only
/// what was asked, and the undo leaves each file byte for byte as it was.
@Suite struct ProgramPhotoTests {
  private let folder = TemporaryFolder()
  private let state = TemporaryFolder()

  /// Why photos into which nothing can be put get sidecars.
  private static let unwritable = [
    "camera-film.heic": AnnotationFault.Reason.format, "camera.avif": .format,
    "exiftool-exif.heic": .format, "camera-preview.jpg": .immovable,
  ].mapValues(\.message)

  /// A change of a photo, and what exiftool may see of it.
  private enum Change: CaseIterable {
    case rating, keyword, title, rotation

    /// Returns the edit of a photo with a title; nil for a rotation.
    func edit(of title: String) -> AnnotationEdit? {
      switch self {
      case .rating: .stars(5)
      case .keyword: KeywordEdit(adding: ["new"]).map { .keywords($0) }
      // One that is longer than is shown is not changed.
      case .title where title.count > 120: TextEdit(.caption, from: "", to: "new").map { .text($0) }
      case .title: TextEdit(.title, from: title, to: "new").map { .text($0) }
      case .rotation: nil
      }
    }

    /// Whether a value may differ; "XMPToolkit" is the program that wrote a packet last.
    func mayChange(_ key: String, _ photo: String) -> Bool {
      // A file in the simple format becomes one in the extended format, which tells the size anew.
      if photo.hasSuffix(".webp"), key.hasPrefix("RIFF:") || key.hasPrefix("File:") { return true }
      // The length of the picture itself, in the index of all.
      if photo == "camera-gain-map.jpg", key.hasSuffix("MPImageLength") { return true }
      return switch self {
      case .rating: key == "XMP-xmp:Rating" || key.hasSuffix(":XMPToolkit")
      case .keyword: key == "XMP-dc:Subject" || key.hasSuffix(":XMPToolkit")
      // A second title, beside one elsewhere in the file, is "XMP-dc:Copy1:Title".
      case .title:
        key.hasPrefix("XMP-dc:") && (key.hasSuffix(":Title") || key.hasSuffix(":Description"))
          || key.hasSuffix(":XMPToolkit")
      case .rotation: key == "IFD0:Orientation" || key == "File:ExifByteOrder"
      }
    }
  }

  /// What a change replaced.
  private enum Replaced {
    case bytes([FileReversal])
    case orientation([FileStep])
  }

  private func bytes(_ name: String) -> [UInt8] { contents(of: "\(folder.path)/\(name)") }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func perform(_ operation: FileOperation, _ photo: [UInt8]) -> FileOutcome {
    var files = FileOperator()
    return files.perform(
      FileProtocol.Request(
        batch: 1, journal: state.path("undo/1"), operation.located { _ in photo }))
  }

  /// The orientation with which a photo is shown.
  private func orientation(_ name: String) throws -> Orientation {
    let sidecar = FileManager.default.contents(atPath: "\(folder.path)/\(name).xmp")
    if let orientation = sidecar.flatMap({ XMPFacts(Array($0), .sidecar).orientation }) {
      return orientation
    }
    return try #require(
      StoredOrientation(ByteSource(bytes(name)), name: Array(name.utf8))?.orientation)
  }

  /// A hash of the pixels of each photo, by libvips.
  private func pixels() throws -> String {
    try SystemProgram.output(
      of: "bash",
      [
        "-c",
        """
        for photo in *.*; do
          [[ $photo = *.xmp ]] && continue
          echo "$photo $(vips rawsave "$photo" /tmp/$$.raw && md5sum < /tmp/$$.raw || echo none)"
          rm -f /tmp/$$.raw
        done
        """,
      ], in: folder.path)
  }

  @Test func `a rating, a keyword and a rotation change only what was asked`() throws {
    #expect(try ProgramPhotos.make(in: folder) == [])
    let photos = try names
    #expect(photos.count >= 60)
    let first = Dictionary(uniqueKeysWithValues: photos.map { ($0, bytes($0)) })
    let (picture, orientations) = (try pixels(), try photos.map(orientation))
    var before = try MetadataDump(of: photos, in: folder)
    #expect(before.photos.count == photos.count)
    var replaced: [(photo: String, Replaced)] = []
    var reasons: [String: String] = [:]
    for change in Change.allCases {
      var changed: Set<String> = []
      for name in photos {
        let old = bytes(name)
        let (result, reason) = try make(change, name)
        replaced.append((name, result))
        if let reason { reasons[name] = reason }
        if bytes(name) != old { changed.insert(name) }
      }
      let after = try MetadataDump(of: photos, in: folder)
      for name in photos {
        let differences = after.differences(of: name, from: before)
        #expect(differences.filter { !change.mayChange($0, name) } == [], "\(name), \(change)")
        #expect(differences.isEmpty != changed.contains(name), "\(name), \(change)")
      }
      before = after
    }
    #expect(reasons == Self.unwritable)
    let sidecars = try Set(names).subtracting(photos)
    // A raw photo is rated, but not rotated, in its file.
    #expect(sidecars == Set((Self.unwritable.keys + ["camera.dng"]).map { "\($0).xmp" }))
    #expect(try pixels() == picture)
    for (name, orientation) in zip(photos, orientations) {
      let path = folder.path(name)
      #expect(AnnotationFiles.rating(ofPhoto: path).stars == 5, "\(name)")
      #expect(RatedFolder.keywords(of: path).contains("new"), "\(name)")
      #expect(try self.orientation(name) == orientation.followed(by: .quarterTurn), "\(name)")
    }
    for (name, replaced) in replaced.reversed() { undo(replaced, name) }
    #expect(try names == photos)
    for name in photos { #expect(bytes(name) == first[name], "\(name)") }
  }

  /// Changes a photo, and returns what was replaced, and why a sidecar was written.
  private func make(
    _ change: Change, _ name: String
  ) throws -> (replaced: Replaced, sidecarReason: String?) {
    let path = folder.path(name)
    guard let edit = change.edit(of: title(name)) else {
      let outcome = perform(.turn([Photo.ID(0)], by: .quarterTurn), path)
      guard case .done(let files) = outcome else {
        Issue.record("\(name): \(outcome)")
        return (.orientation([]), nil)
      }
      return (.orientation(files), nil)
    }
    let result = AnnotationFiles.write(edit, ofPhoto: path, isEmbedded: true)
    #expect(result.failure == nil, "\(name)")
    return (.bytes(result.reversals), result.sidecarReason)
  }

  /// The title in the XMP of a photo; empty for none.
  private func title(_ name: String) -> String {
    let stored = try? PhotoContainers.open(ByteSource(bytes(name))).xmp
    let titles = stored.flatMap { XMPPacket(parsing: $0.packet)?.alternatives(of: .text(.title)) }
    return (titles?.first { $0.language == "x-default" } ?? titles?.first)?.text ?? ""
  }

  private func undo(_ replaced: Replaced, _ name: String) {
    let path = folder.path(name)
    switch replaced {
    case .bytes(let reversals):
      #expect(!reversals.isEmpty, "\(name)")
      // What is written if the bytes are not those that were recorded.
      let result = AnnotationFiles.write(
        .stars(1), ofPhoto: path, isEmbedded: true, undoing: reversals)
      #expect(result.failure == nil && result.reversals.isEmpty, "\(name)")
    case .orientation(let files):
      #expect(
        perform(FileOperation(.rotation, [Photo.ID(0)], files, isUndo: true), path) == .done([]),
        "\(name)")
    }
  }
}
