import Geometry
import Photos
import Testing
import WorkerProtocol

@Suite struct SharedValuesTests {
  @Test(arguments: [
    // The photo's size, the frame's size, the content mode, the target size.
    ((4000.0, 3000.0), (256.0, 256.0), ContentMode.fit, [256, 192]),
    ((4000, 3000), (256, 256), .fill, [341, 256]),
    ((3000, 4000), (256, 256), .fit, [192, 256]),
    ((100, 50), (256, 256), .fit, [100, 50]),
    ((100, 50), (256, 256), .fill, [100, 50]),
    ((100, 50), (80, 80), .fill, [100, 50]),
    ((100_000, 10), (200, 200), .fit, [200, 1]),
    ((20_000, 10_000), (30_000, 30_000), .fit, [8192, 4096]),
    ((20_000, 10), (100, 100), .fill, [8192, 4]),
    ((1, 1), (0.25, 0.25), .fit, [1, 1]),
    ((0, 0), (10, 10), .fit, [1, 1]),
    ((10, 10), (.infinity, .nan), .fit, [10, 10]),
  ])
  func `a photo is decoded at the size of its frame, and never enlarged`(
    photo: (Double, Double), frame: (Double, Double), mode: ContentMode, target: [Int]
  ) {
    let size = targetSize(
      of: PixelSize(width: photo.0, height: photo.1),
      in: PixelSize(width: frame.0, height: frame.1), mode: mode)

    #expect([size.width, size.height] == target)
  }

  @Test(arguments: [
    ("2024:05:01 12:30:00", "2024-05-01T12:30:00"),
    ("0001:12:31 23:59:60 ", "0001-12-31T23:59:60"),
    ("0000:00:00 00:00:00", nil),
    ("    :  :     :  :  ", nil),
    ("2024:13:01 12:30:00", nil),
    ("2024:05:01 24:00:00", nil),
    ("2024-05-01 12:30:00", "2024-05-01T12:30:00"),
    ("9999:99:99 99:99:99", nil),
    ("2024:02:30 12:30:00", nil),
    ("", nil),
  ])
  func `a valid EXIF time is converted to ISO 8601`(exif: String, iso8601: String?) {
    let time = TakenTime(exif: Array(exif.utf8))

    #expect(time?.iso8601 == iso8601)
    #expect(time.flatMap { TakenTime(iso8601: $0.iso8601) } == time)
  }

  @Test func `every format is found by its name`() {
    for format in ImageFormat.allCases { #expect(ImageFormat(word: format.rawValue) == format) }
    #expect(ImageFormat(word: "wmf") == nil)
  }
}
