import Geometry
import Photos
import TestSupport
import Testing

/// Regions of photos, as the real worker decodes them.
@Suite(.serialized) struct RegionDecodingTests {
  let folder = TemporaryFolder()

  static let jpegs = [
    "texture-420.jpg", "texture-422.jpg", "texture-444.jpg", "texture-progressive.jpg", "gray.jpg",
    "inks-ycck.jpg",
  ]
  static let others = ["texture.png", "texture.webp", "texture.tif", "texture.avif", "card.gif"]

  /// Writes a file, and returns its path and the whole photo as the worker decodes it at full size.
  func photo(_ bytes: [UInt8], _ worker: AskedWorker) throws -> (path: [UInt8], whole: Bitmap) {
    let path = folder.write(bytes, to: "photo")
    return (path, try #require(worker.whole(path)?.1))
  }

  @Test(arguments: 1...8)
  func `a region equals that part of the whole JPEG, in every orientation`(
    orientation: Int
  ) throws {
    let worker = try AskedWorker()
    var random = SeededGenerator(seed: UInt64(orientation))
    for name in Self.jpegs {
      let (path, whole) = try photo(image(name).oriented(orientation), worker)

      for region in Self.regions(of: whole, &random) {
        let found = try #require(worker.part(region, of: path), "\(name) \(region)")
        #expect(found.0 == region, "\(name)")
        #expect(found.1 == whole.cut(region), "\(name) orientation \(orientation): \(region)")
      }
    }
  }

  @Test(arguments: 1...8)
  func `a region of the other formats equals that part of the whole, in every orientation`(
    orientation: Int
  ) throws {
    let worker = try AskedWorker()
    var random = SeededGenerator(seed: UInt64(orientation))
    for name in Self.others {
      let isTurned = ["texture.png", "texture.webp", "texture.tif"].contains(name)
      let file = image(name)
      let (path, whole) = try photo(
        isTurned ? file.replacingOrientation(orientation) : file, worker)
      if isTurned { #expect(worker.whole(path)?.0.orientation == orientation) }

      for region in Self.regions(of: whole, &random) {
        let found = try #require(worker.part(region, of: path), "\(name) \(region)")
        #expect(found.0 == region, "\(name)")
        #expect(found.1 == whole.cut(region), "\(name) orientation \(orientation): \(region)")
      }
    }
  }

  @Test(arguments: 1...8)
  func `a reduced region covers at least the requested part, with its colours`(
    orientation: Int
  ) throws {
    let worker = try AskedWorker()
    for name in Self.jpegs + Self.others {
      let (path, whole) = try photo(
        Self.jpegs.contains(name) ? image(name).oriented(orientation) : image(name), worker)
      for reduction in [2, 4, 8, 16] {
        let region = PhotoRegion(
          x: 8, y: 8, width: whole.width - 16, height: whole.height - 16, reduction: reduction)

        let (covered, picture) = try #require(
          worker.part(region, of: path), "\(name) \(region)")

        #expect(covered.satisfies(region) && covered.reduction == reduction)
        #expect(covered.sampleSize == (picture.width, picture.height))
        // On average the colors are those of the part that it claims to cover.
        let expected = whole.cut(covered.clipped(to: whole)).mean
        #expect(
          areAlike([picture.mean], [expected], tolerance: 10),
          "\(name) \(orientation) \(reduction): \(picture.mean) \(expected)")
      }
    }
  }

  @Test func `a JPEG's region reduced by two or four equals that part of the reduced whole`() throws
  {
    let worker = try AskedWorker()
    for name in ["texture-420.jpg", "texture-444.jpg", "texture-progressive.jpg"] {
      for orientation in 1...8 {
        let (path, whole) = try photo(image(name).oriented(orientation), worker)
        for reduction in [2, 4] {
          // Sides of 100 and 76 are whole numbers of samples, so that there is nothing to round.
          let size = PixelSize(
            width: Double(whole.width / reduction), height: Double(whole.height / reduction))
          let reduced = try #require(worker.whole(path, size: size)?.1)
          let region = PhotoRegion(x: 16, y: 8, width: 40, height: 52, reduction: reduction)

          let (covered, picture) = try #require(worker.part(region, of: path))

          #expect(covered == region)
          let place = PhotoRegion(
            x: 16 / reduction, y: 8 / reduction, width: 40 / reduction, height: 52 / reduction)
          #expect(picture == reduced.cut(place), "\(name) \(orientation) \(reduction)")
        }
      }
    }
  }

  @Test func `a region's colours are converted by the profile`() throws {
    let profile = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + image("swapped.icc"))
    let worker = try AskedWorker()
    for file in [image("texture-444.jpg").inserting(profile), image("swapped.tif")] {
      let (path, whole) = try photo(file, worker)
      let region = PhotoRegion(x: 5, y: 7, width: 20, height: 11)
      #expect(worker.part(region, of: path)?.1 == whole.cut(region))
    }
  }

  @Test func `a region of a truncated file equals that part of the whole`() throws {
    let worker = try AskedWorker()
    for name in ["texture-420.jpg", "texture-progressive.jpg"] {
      let file = image(name)
      let (path, whole) = try photo(Array(file.prefix(file.count * 3 / 4)), worker)
      let region = PhotoRegion(x: 3, y: 2, width: 20, height: 9)
      #expect(worker.part(region, of: path)?.1 == whole.cut(region), "\(name)")
    }
  }

  /// The whole photo, the pixels in its corners, stripes, and random regions.
  static func regions(of photo: Bitmap, _ random: inout SeededGenerator) -> [PhotoRegion] {
    let (width, height) = (photo.width, photo.height)
    let fixed = [
      (0, 0, width, height), (0, 0, 1, 1), (width - 1, height - 1, 1, 1), (width - 1, 0, 1, 1),
      (0, height - 1, 1, 1), (0, height / 2, width, 1), (width / 2, 0, 1, height),
      (width / 3, height / 3, width / 2, height / 2),
    ]
    let others = (0..<8).map { _ in
      let x = Int.random(in: 0..<width, using: &random)
      let y = Int.random(in: 0..<height, using: &random)
      return (
        x, y, Int.random(in: 1...(width - x), using: &random),
        Int.random(in: 1...(height - y), using: &random)
      )
    }
    return (fixed + others).map { PhotoRegion(x: $0.0, y: $0.1, width: $0.2, height: $0.3) }
  }
}

extension PhotoRegion {
  fileprivate func clipped(to photo: Bitmap) -> PhotoRegion {
    let (left, top) = (max(x, 0), max(y, 0))
    return PhotoRegion(
      x: left, y: top, width: min(x + width, photo.width) - left,
      height: min(y + height, photo.height) - top)
  }
}

extension Bitmap {
  /// A part of the picture.
  fileprivate func cut(_ region: PhotoRegion) -> Bitmap {
    let rows = (region.y..<region.y + region.height).flatMap { y in
      let start = (y * width + region.x) * 4
      return pixels[start..<start + region.width * 4]
    }
    let isOpaque = stride(from: 3, to: rows.count, by: 4).allSatisfy { rows[$0] == 255 }
    return Bitmap(width: region.width, height: region.height, pixels: rows, isOpaque: isOpaque)
  }

  /// The mean of each channel.
  fileprivate var mean: [Int] {
    (0..<4).map { channel in
      stride(from: channel, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) }
        / (width * height)
    }
  }
}

extension [UInt8] {
  /// The JPEG with an EXIF orientation.
  fileprivate func oriented(_ orientation: Int) -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    let head = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
    return inserting(segment(0xe1, head + entry + [0, 0, 0, 0]))
  }

  /// The file with the orientation 6 of its EXIF block replaced by another.
  fileprivate func replacingOrientation(_ orientation: Int) -> [UInt8] {
    var file = self
    let entries: [([UInt8], Int)] = [
      ([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6], 9), ([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0], 8),
    ]
    for (entry, place) in entries {
      guard let found = file.firstRange(of: entry) else { continue }
      file[found.lowerBound + place] = UInt8(orientation)
    }
    guard let chunk = file.firstRange(of: Array("eXIf".utf8)) else { return file }
    // A PNG chunk's checksum follows its contents, and covers its name.
    let length = file[chunk.lowerBound - 4..<chunk.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let end = chunk.upperBound + length
    var sum: UInt32 = 0xffff_ffff
    for byte in file[chunk.lowerBound..<end] {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) }
    file.replaceSubrange(end..<end + 4, with: bytes)
    return file
  }
}
