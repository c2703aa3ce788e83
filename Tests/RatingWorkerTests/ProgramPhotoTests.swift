import Foundation
import ImageFormats
import Geometry
import Photos
import TestSupport
import Testing

@testable import RatingWorker

/// Sixty photos as programs and cameras write them: a rating, a keyword and a rotation change only
/// what was asked, and the undo leaves each file byte for byte as it was.
@Suite struct ProgramPhotoTests {
  private let folder = TemporaryFolder()

  /// Photos into which nothing can be put.
  private static let unwritable = [
    "camera-film.heic": ContainerFault.format, "camera.avif": .format,
    "exiftool-exif.heic": .format, "camera-preview.jpg": .immovable,
  ]

  /// A change of a photo, and what exiftool may see of it.
  private enum Change: CaseIterable {
    case rating, keyword, rotation

    func patch(_ photo: [UInt8]) throws -> FilePatch {
      let container = try PhotoContainers.open(ByteSource(photo))
      if self == .rotation {
        let isTurned = container.orientation == Orientation(number: 8)
        return try container.patch(Orientation(number: isTurned ? 3 : 8))
      }
      let stored = try container.xmp
      guard let packet = stored.map({ XMPPacket(parsing: $0.packet) }) ?? XMPPacket.empty() else {
        throw ContainerFault.damaged
      }
      if self == .rating {
        #expect(try packet.apply(#require(XMPPacket.Change(.stars(5)))))
      } else {
        #expect(packet.setKeywords((packet.keywords ?? []) + ["new"]))
      }
      return try container.patch(xmp: #require(packet.serialized(hasWrapper: true)))
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
      case .rotation: key == "IFD0:Orientation" || key == "File:ExifByteOrder"
      }
    }
  }

  private func bytes(_ name: String) -> [UInt8] { contents(of: "\(folder.path)/\(name)") }

  /// A hash of the pixels of each photo, by libvips.
  private func pixels() throws -> String {
    try SystemProgram.output(
      of: "bash",
      [
        "-c",
        """
        for photo in *.*; do
          echo "$photo $(vips rawsave "$photo" /tmp/$$.raw && md5sum < /tmp/$$.raw || echo none)"
          rm -f /tmp/$$.raw
        done
        """,
      ], in: folder.path)
  }

  @Test func `a rating, a keyword and a rotation change only what was asked`() throws {
    #expect(try ProgramPhotos.make(in: folder) == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count >= 60)
    #expect(try check(names) == Self.unwritable)
  }

  /// Changes photos and undoes that, and returns why some could not be changed.
  private func check(_ names: [String]) throws -> [String: ContainerFault] {
    let first = Dictionary(uniqueKeysWithValues: names.map { ($0, bytes($0)) })
    let picture = try pixels()
    var before = try MetadataDump(of: names, in: folder)
    #expect(before.photos.count == names.count)
    var inverses: [String: [FilePatch]] = [:]
    var refused: [String: ContainerFault] = [:]
    for change in Change.allCases {
      var changed: Set<String> = []
      for name in names {
        let old = bytes(name)
        let patch: FilePatch
        do {
          patch = try change.patch(old)
        } catch let fault as ContainerFault {
          refused[name] = fault
          continue
        }
        let inverse = try #require(patch.inverse(in: ByteSource(old)), "\(name)")
        inverses[name, default: []].append(inverse)
        folder.write(try #require(patch.applied(to: old), "\(name)"), to: name)
        changed.insert(name)
      }
      let after = try MetadataDump(of: names, in: folder)
      for name in names {
        let differences = after.differences(of: name, from: before)
        #expect(differences.filter { !change.mayChange($0, name) } == [], "\(name), \(change)")
        #expect(differences.isEmpty != changed.contains(name), "\(name), \(change)")
      }
      before = after
    }
    #expect(try pixels() == picture)
    for name in names {
      var bytes = bytes(name)
      for inverse in (inverses[name] ?? []).reversed() {
        bytes = try #require(inverse.applied(to: bytes), "\(name)")
      }
      #expect(bytes == first[name], "\(name)")
    }
    return refused
  }
}
