import Glibc
import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.serialized) struct SideMetadataTests {
  private let folder = TemporaryFolder()

  /// The metadata of a file, read by a real worker.
  private func read(_ bytes: [UInt8], as name: String = "photo.jpg") throws -> PhotoMetadata? {
    let path = folder.write(bytes, to: name)
    return try finder([path]).run(Photo.ID(0))
  }

  private func finder(
    _ paths: [[UInt8]], worker: WorkerExecutable? = nil, timeout: Double = 10
  ) throws -> SideClient {
    SideClient(worker: try worker ?? .find(), timeout: timeout) { paths[$0.index] }
  }

  // MARK: - Files of cameras

  @Test func `a camera's photo has its settings`() throws {
    for isBigEndian in [false, true] {
      var exif = ExifBlock()
      exif.isBigEndian = isBigEndian
      let metadata = try #require(try read(exif.jpeg))
      #expect(metadata.camera == "Canon EOS R5")
      #expect(metadata.lens == "RF 35mm")
      #expect(metadata.exposureTime == 0.004)
      #expect(metadata.aperture == 2.8)
      #expect(metadata.sensitivity == 400)
      #expect(metadata.focalLength == 35)
      #expect(metadata.location == PhotoMetadata.Location(latitude: 48.51, longitude: -2.25))
      #expect(metadata.profile == "sRGB")
    }
  }

  @Test func `shutter speed and aperture are also read from their logarithms`() throws {
    var exif = ExifBlock()
    exif.photo = [
      (0x9201, 10, exif.ratios([(8, 1)])), (0x9202, 5, exif.ratios([(4, 1)])),
    ]
    let metadata = try #require(try read(exif.jpeg))
    #expect(metadata.exposureTime == 1.0 / 256 && metadata.aperture == 4)
  }

  @Test(arguments: ["swapped.png", "swapped.webp", "swapped.tif"])
  func `a profile is known by its name`(name: String) throws {
    let metadata = try #require(try read(image(name), as: name))
    #expect(metadata.profile != nil && metadata.profile != "a corrupt profile")
  }

  @Test(arguments: [
    "alpha.png", "card.webp", "card.gif", "card.tif", "card.heic", "card.avif", "card.jpg",
  ])
  func `photos of all formats are read if they have little metadata`(name: String) throws {
    let metadata = try #require(try read(image(name), as: name))
    #expect(metadata.exposureTime == nil && metadata.location == nil && metadata.lens == nil)
  }

  @Test func `a TIFF's own directories have metadata`() throws {
    let exif = ExifBlock()
    let metadata = PhotoMetadata(TIFFReader(ByteSource(exif.block)))
    #expect(metadata.camera == "Canon EOS R5" && metadata.aperture == 2.8)
  }

  // MARK: - Malicious files

  @Test func `empty values and ratios with a numerator or denominator of 0 are ignored`() throws {
    var exif = ExifBlock()
    exif.photo = [
      (0x829a, 5, exif.ratios([(1, 0)])), (0x829d, 5, exif.ratios([(0, 0)])),
      (0x920a, 5, exif.ratios([(0, 5)])), (0x8827, 3, .numbers([0])),
      (0xa434, 2, .bytes(Array("   \0".utf8))),
    ]
    exif.position = []
    var expected = PhotoMetadata()
    expected.camera = "Canon EOS R5"
    #expect(try read(exif.jpeg) == expected)
  }

  @Test(arguments: [false, true])
  func `numbers with a floating point, as some programs write them, are read`(isBigEndian: Bool)
    throws
  {
    func bytes(_ number: some FixedWidthInteger) -> TIFFBuilder.Values {
      .bytes(
        withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) })
    }
    var exif = ExifBlock()
    exif.isBigEndian = isBigEndian
    // Their types are 12, a number of 64 bits, and 11, one of 32.
    exif.photo = [
      (0x829a, 12, bytes(0.004.bitPattern)), (0x829d, 12, bytes(2.8.bitPattern)),
      (0x920a, 11, bytes(Float(35).bitPattern)),
    ]
    let metadata = try #require(try read(exif.jpeg))
    #expect(metadata.exposureTime == 0.004 && metadata.aperture == 2.8)
    #expect(metadata.focalLength == 35)
    exif.photo = [
      (0x829a, 12, bytes(Double.nan.bitPattern)), (0x829d, 12, bytes(Double.infinity.bitPattern)),
    ]
    let other = try #require(try read(exif.jpeg))
    #expect(other.exposureTime == nil && other.aperture == nil)
  }

  @Test func `an exposure of 0 and impossible shutter speeds are ignored`() throws {
    var exif = ExifBlock()
    exif.photo = [(0x829a, 5, exif.ratios([(0, 1)])), (0x9202, 5, exif.ratios([(4_000_000, 1)]))]
    #expect(try read(exif.jpeg)?.exposureTime == nil)
    #expect(try read(exif.jpeg)?.aperture == nil)
    exif.photo = [(0x9201, 10, exif.ratios([(0x8000_0000, 1)]))]
    #expect(try read(exif.jpeg)?.exposureTime == nil)
  }

  // Named with its type: as an argument of the macro, the compiler takes a minute to infer it.
  private static let impossiblePlaces: [(String, [(Int, Int)])] = [
    ("N", [(999, 1), (0, 1), (0, 1)]), ("N", [(48, 1), (61, 1), (0, 1)]),
    ("N", [(48, 0), (30, 1), (0, 1)]), ("X", [(48, 1), (30, 1), (0, 1)]),
    ("", [(48, 1), (30, 1), (0, 1)]), ("N", [(48, 1), (30, 1)]), ("N", [(91, 1), (0, 1), (0, 1)]),
  ]

  @Test(arguments: impossiblePlaces)
  func `implausible positions are ignored`(letter: String, latitude: [(Int, Int)]) throws {
    var exif = ExifBlock()
    exif.position[0] = (1, 2, .bytes(Array(letter.utf8) + [0]))
    exif.position[1] = (2, 5, exif.ratios(latitude))
    let metadata = try #require(try read(exif.jpeg))
    #expect(metadata.location == nil && metadata.lens == "RF 35mm")
  }

  @Test func `control characters of a text are removed, and long texts are cut`() throws {
    let hostile: [UInt8] =
      Array("\u{1B}]52;c;aGk=\u{7}\u{1B}[2J\u{202E}gpj\u{9B}6n".utf8) + [0xff, 0xc3, 0x9b, 0x80]
    var exif = ExifBlock()
    exif.main = [
      (0x110, 2, .bytes(hostile + Array(repeating: 0x41, count: 10_000) + [0])),
      (0x10f, 2, .bytes(hostile)),
    ]
    exif.photo = [(0xa434, 2, .bytes(hostile))]
    let metadata = try #require(try read(exif.jpeg))
    for text in [metadata.camera, metadata.lens] {
      let text = try #require(text)
      #expect(text.unicodeScalars.count <= PhotoMetadata.maxTextLength)
      #expect(
        text.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) && $0.value != 0x202E
        }, "\(text.debugDescription)")
    }
  }

  @Test func `texts longer than the file are ignored`() throws {
    var exif = ExifBlock()
    exif.photo = [(0xa434, 2, .bytes(Array("RF 35mm, the lens\0".utf8)))]
    var block = exif.block
    // The field's count, after its tag and type.
    let tag: [UInt8] = [0x34, 0xa4, 2, 0]
    let place = try #require(
      block.indices.dropLast(8).first { Array(block[$0..<($0 + 4)]) == tag })
    #expect(PhotoMetadata(exif: block).lens == "RF 35mm, the lens")
    for count: [UInt8] in [[0xff, 0xff, 0xff, 0xff], [0, 0, 1, 0], [0xff, 0xff, 0xff, 0x7f]] {
      block.replaceSubrange((place + 4)..<(place + 8), with: count)
      let metadata = PhotoMetadata(exif: block)
      #expect(metadata.lens == nil && metadata.camera == "Canon EOS R5")
    }
  }

  @Test func `directories that point at themselves and at each other end`() throws {
    // One field: the pointers to the others all lead to the first directory, at offset 8.
    var block = Array("II*\0".utf8) + [8, 0, 0, 0, 3, 0]
    for tag: UInt16 in [0x8769, 0x8825, 0x014a] {
      block += [UInt8(tag & 255), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
    }
    block += [8, 0, 0, 0]
    #expect(PhotoMetadata(exif: block) == PhotoMetadata())
    let file = image("card.jpg").inserting(segment(0xe1, Array("Exif\0\0".utf8) + block))
    #expect(try read(file) == PhotoMetadata())
  }

  @Test func `a truncated block, and one with random bytes changed, has no implausible metadata`() {
    let block = ExifBlock().block
    let whole = PhotoMetadata(exif: block)
    for count in 0..<block.count {
      let metadata = PhotoMetadata(exif: Array(block.prefix(count)))
      #expect(metadata.checked == metadata, "cut to \(count)")
      #expect(metadata.lens == nil || metadata.lens == whole.lens, "cut to \(count)")
    }
    var random = SeededGenerator(seed: 8)
    for round in 0..<3000 {
      var changed = block
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        changed[place] = UInt8.random(in: 0...255, using: &random)
      }
      let metadata = PhotoMetadata(exif: changed)
      #expect(metadata.checked == metadata, "round \(round)")
    }
  }

  // MARK: - The finder

  @Test func `a file that cannot be read has no metadata, and the others have theirs`() throws {
    let finder = try finder([
      folder.path("missing.jpg"), folder.write(Array("text".utf8), to: "text.jpg"),
      folder.write(ExifBlock().jpeg, to: "photo.jpg"),
    ])
    #expect(finder.run(Photo.ID(0)) == PhotoMetadata())
    #expect(finder.run(Photo.ID(1)) == PhotoMetadata())
    #expect(finder.run(Photo.ID(2))?.camera == "Canon EOS R5")
    #expect(finder.nextDeadline == nil)

    finder.setDemand(nil, at: now())
    #expect(finder.pollRequests.isEmpty, "a worker is left without work")
    #expect(finder.metadata(of: Photo.ID(2)) != nil)
  }

  @Test func `a file that has changed is read again`() throws {
    let path = folder.write(image("card.jpg"), to: "photo.jpg")
    let finder = try finder([path])
    #expect(finder.run(Photo.ID(0))?.camera == nil)
    folder.write(ExifBlock().jpeg, to: "photo.jpg")
    #expect(finder.run(Photo.ID(0))?.camera == nil)
    finder.forget(Photo.ID(0))
    #expect(finder.run(Photo.ID(0))?.camera == "Canon EOS R5")

    // An answer that was underway when the file changed is dropped.
    finder.forget(Photo.ID(0))
    finder.setDemand(Photo.ID(0), at: now())
    finder.forget(Photo.ID(0))
    folder.write(image("card.jpg"), to: "photo.jpg")
    _ = finder.run(Photo.ID(0))
    finder.forget(Photo.ID(0))
    #expect(finder.run(Photo.ID(0))?.camera == nil)
  }

  @Test func `a worker that hangs, ends or is missing delays nothing`() throws {
    let path = folder.write(ExifBlock().jpeg, to: "photo.jpg")
    for (program, arguments) in [
      ("/bin/sleep", ["100"]), ("/bin/true", []), ("/bin/echo", ["nonsense"]), ("/none", []),
    ] {
      let worker = WorkerExecutable(path: program, arguments: [program] + arguments)
      let finder = try finder([path], worker: worker, timeout: 0.2)
      #expect(finder.run(Photo.ID(0)) == PhotoMetadata(), "\(program)")
    }
  }
}

extension SideClient {
  /// Runs until the metadata of a photo has arrived.
  fileprivate func run(_ photo: Photo.ID) -> PhotoMetadata? {
    setDemand(photo, at: now())
    let start = now()
    while metadata(of: photo) == nil {
      guard now().seconds(since: start) < 60 else { return nil }
      wait(for: pollRequests, until: nextDeadline)
      _ = service(at: now())
    }
    _ = service(at: now())
    return metadata(of: photo)
  }
}

/// An EXIF block as a camera writes it, for tests to change.
struct ExifBlock {
  typealias Field = (tag: Int, type: Int, values: TIFFBuilder.Values)

  var isBigEndian = false
  var main: [Field] = [
    (0x10f, 2, .bytes(Array("Canon\0".utf8))), (0x110, 2, .bytes(Array("Canon EOS R5\0".utf8))),
  ]
  /// Nil for a camera's own values.
  private var changedPhoto: [Field]?
  private var changedPosition: [Field]?

  var photo: [Field] {
    get {
      changedPhoto ?? [
        (0x829a, 5, ratios([(1, 250)])), (0x829d, 5, ratios([(28, 10)])),
        (0x8827, 3, .numbers([400])), (0x920a, 5, ratios([(35, 1)])),
        (0xa001, 3, .numbers([1])), (0xa434, 2, .bytes(Array("RF 35mm\0".utf8))),
      ]
    }
    set { changedPhoto = newValue }
  }

  var position: [Field] {
    get {
      changedPosition ?? [
        (1, 2, .bytes(Array("N\0".utf8))), (2, 5, ratios([(48, 1), (30, 1), (36, 1)])),
        (3, 2, .bytes(Array("W\0".utf8))), (4, 5, ratios([(2, 1), (15, 1), (0, 1)])),
      ]
    }
    set { changedPosition = newValue }
  }

  /// Numerators and denominators.
  func ratios(_ values: [(Int, Int)]) -> TIFFBuilder.Values {
    .bytes(
      values.flatMap { [$0.0, $0.1] }.flatMap { number in
        let little = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return isBigEndian ? little.reversed() : little
      })
  }

  /// The block, without "Exif" at its start.
  var block: [UInt8] {
    TIFFBuilder(isBigEndian: isBigEndian).file(
      TIFFBuilder.Directory(
        main + [
          (0x8769, 4, .directories([TIFFBuilder.Directory(photo)])),
          (0x8825, 4, .directories([TIFFBuilder.Directory(position)])),
        ]))
  }

  /// A photo with this block.
  var jpeg: [UInt8] {
    image("card.jpg").inserting(segment(0xe1, Array("Exif\0\0".utf8) + block))
  }
}
