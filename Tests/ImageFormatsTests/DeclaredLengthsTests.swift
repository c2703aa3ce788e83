import ImageFormats
import Photos
import Testing

/// Files that declare more than they contain are rejected before any decoder allocates for it.
@Suite struct DeclaredLengthsTests {
  private func png(_ chunks: [(type: String, length: UInt32, bytes: Int)]) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for chunk in chunks {
      file += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: chunk.length >> $0) }
      file += Array(chunk.type.utf8) + [UInt8](repeating: 0, count: chunk.bytes + 4)
    }
    return file
  }

  private func failure(
    _ file: [UInt8], _ format: ImageFormat, width: Int = 1, height: Int = 1
  ) -> FailureReason? {
    var size = HeaderSize(of: .gif, firstBytes: [UInt8](repeating: 0, count: 64))
    size?.width = width
    size?.height = height
    guard let size else { return .emptyFile }
    do throws(FailureReason) {
      try DeclaredLengths.check(ByteSource(file), format: format, size: size)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a chunk before the picture that is longer than the file is rejected`() {
    let head = (type: "IHDR", length: UInt32(13), bytes: 13)
    #expect(failure(png([head, ("tEXt", 0x3FFF_FFFF, 5), ("IEND", 0, 0)]), .png) == .truncated)
    #expect(failure(png([head, ("iCCP", 0xFFFF_FFFF, 0)]), .png) == .truncated)
  }

  @Test func `a truncated picture is left to the decoder, which shows a part of it`() {
    let head = (type: "IHDR", length: UInt32(13), bytes: 13)
    #expect(failure(png([head, ("tEXt", 5, 5), ("IDAT", 9999, 5)]), .png) == nil)
    #expect(failure(png([head, ("IDAT", 5, 5), ("tEXt", 9999, 5)]), .png) == nil)
  }

  @Test func `a GIF cannot declare more pixels than its bytes can encode`() {
    #expect(
      failure([UInt8](repeating: 0, count: 78), .gif, width: 14_000, height: 14_000) == .truncated)
    #expect(failure([UInt8](repeating: 0, count: 78), .gif, width: 1000, height: 1000) == nil)
    #expect(
      failure([UInt8](repeating: 0, count: 20_000), .gif, width: 14_000, height: 14_000) == nil)
  }
}
