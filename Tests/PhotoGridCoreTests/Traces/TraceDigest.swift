@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// A digest of a series of values: FNV-1a over 64-bit words.
///
/// Unlike `Hasher`, it is the same in all runs and on all machines.
struct TraceDigest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x0000_0100_0000_01B3
    value ^= value >> 29
  }

  /// Adds a length or a fraction rounded to a thousandth, so that the last bits of `exp` do not
  /// count.
  mutating func add(_ number: Double) {
    add(number.isFinite ? Int((number * 1000).rounded()) : .max)
  }

  mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    for byte in text.utf8 { add(Int(byte)) }
  }

  mutating func add(_ bytes: [UInt8]) {
    add(bytes.count)
    for byte in bytes { add(Int(byte)) }
  }

  mutating func add(_ photo: Photo.ID) { add(photo.index) }

  mutating func add(_ size: PixelSize) {
    add(size.width)
    add(size.height)
  }

  mutating func add(_ rect: PixelRect) {
    add(rect.minX)
    add(rect.minY)
    add(rect.width)
    add(rect.height)
  }

  mutating func add(_ region: PhotoRegion?) {
    guard let region else { return add(-1) }
    for number in [region.x, region.y, region.width, region.height, region.reduction] {
      add(number)
    }
  }
}
