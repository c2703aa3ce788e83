import Photos
import TestSupport
import Testing

@testable import photogrid_worker

/// Pictures as the bytes of thumbnails.
struct ThumbnailFileTests {
  private static let side = 256

  /// A picture whose pixels are chosen by their columns and rows: red, green, blue and alpha.
  private func picture(_ pixel: (Int, Int) -> [UInt8], isOpaque: Bool) -> Bitmap {
    let indices = 0..<Self.side
    let pixels = indices.flatMap { row in indices.flatMap { column in pixel(column, row) } }
    return Bitmap(width: Self.side, height: Self.side, pixels: pixels, isOpaque: isOpaque)
  }

  private func bytes(of picture: Bitmap) throws -> [UInt8] {
    let stamp = FileStamp(byteCount: 1, modified: 0)
    let photo = try #require(ThumbnailCache.Photo(Array("/photo.jpg".utf8), stamp))
    return try #require(ThumbnailFile.encoded(picture, ThumbnailText(photo, .notAnImage)))
  }

  @Test(arguments: [true, false])
  func `a thumbnail holds every pixel`(isOpaque: Bool) throws {
    var random = SeededGenerator(seed: 7)
    let picture = picture(
      { _, _ in
        isOpaque || Bool.random(using: &random)
          ? (0..<3).map { _ in .random(in: 0...255, using: &random) } + [255] : [0, 0, 0, 0]
      }, isOpaque: isOpaque)

    let bytes = try bytes(of: picture)

    let file = try #require(ThumbnailFile(bytes, maxSide: Self.side))
    #expect(file.bitmap == picture)
    #expect(file.text["Thumb::URI"] == Array("file:///photo.jpg".utf8))
  }

  /// Without a search for repetitions, a drawing must not take as much as a photo.
  @Test func `a thumbnail of a drawing takes a twentieth of its pixels`() throws {
    let drawing = picture(
      { column, row in
        column % 32 == 0 || row % 32 == 0 ? [30, 60, 200, 255] : [250, 250, 240, 255]
      }, isOpaque: true)

    #expect(try bytes(of: drawing).count < drawing.width * drawing.height * 3 / 20)
  }
}
