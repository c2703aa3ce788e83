import Glibc

/// Names of files, each followed by a NUL, in blocks of a megabyte.
///
/// A single array of the names of a million photos would be copied as a whole when it is full, or
/// when a name is added while another value shares it, and keys would wait in the meantime.
package struct NameBlocks: Equatable, Sendable {
  /// Where a name begins: the number of its block in the upper bits, its offset in the lower ones.
  ///
  ///     0x0030_0042  the name at byte 0x42 of block 3, if offsets have 20 bits
  package typealias Location = UInt32

  /// The blocks; every name begins in the first `blockSize` bytes, but the last may end after them.
  private var blocks: [[UInt8]] = []
  /// The number of bytes of all names, with the NULs.
  package private(set) var byteCount = 0
  private let division: Division

  private var blockSize: Int { Int(division.mask) + 1 }

  /// The division of a location into the number of a block and an offset in it.
  ///
  /// `&<<` and `&>>` skip the check of the shift's length, which takes time when a typed key looks
  /// up every name.
  fileprivate struct Division: Equatable, Sendable {
    /// The number of bits of the offset.
    let bits: Location
    /// The mask of the bits of the offset.
    let mask: Location

    func location(block: Int, offset: Int) -> Location {
      Location(block) &<< bits | Location(offset)
    }

    func block(of location: Location) -> Int { Int(location &>> bits) }

    func offset(of location: Location) -> Int { Int(location & mask) }
  }

  /// Creates an empty collection.
  package init(offsetBits: Int = 20) {
    division = Division(bits: Location(offsetBits), mask: 1 << Location(offsetBits) - 1)
  }

  /// The largest number of bytes of names, for which locations suffice with blocks of any size.
  package static let limit = Int(Location.max) / 2

  package subscript(location: Location) -> ArraySlice<UInt8> {
    let rest = blocks[division.block(of: location)][division.offset(of: location)...]
    return rest[..<(rest.firstIndex(of: 0) ?? rest.endIndex)]
  }

  /// Returns the bytes of the first of some names, and of the others if they directly follow.
  ///
  /// - Returns: At least the first name, each with its NUL; empty without locations.
  package func consecutive(_ locations: some Collection<Location>) -> ArraySlice<UInt8> {
    guard let first = locations.first else { return [] }
    let block = division.block(of: first)
    let bytes = blocks[block]
    let start = division.offset(of: first)
    var end = start
    for location in locations {
      guard division.block(of: location) == block, division.offset(of: location) == end else {
        break
      }
      end = (bytes[end...].firstIndex(of: 0) ?? bytes.count - 1) + 1
    }
    return bytes[start..<end]
  }

  /// Adds names.
  ///
  /// - Returns: The location of each name, in order.
  package mutating func append(_ names: [UInt8]) -> [Location] {
    var locations: [Location] = []
    var rest = names[...]
    while !rest.isEmpty {
      if blocks.last.map({ $0.count >= blockSize }) ?? true { addBlock() }
      let block = blocks.count - 1
      let base = blocks[block].count
      var part = rest
      if rest.count > blockSize - base {
        // The last name that begins in the block may end after it.
        let last = rest.startIndex + blockSize - base - 1
        part = rest[..<((rest[last...].firstIndex(of: 0) ?? rest.endIndex - 1) + 1)]
      }
      blocks[block].append(contentsOf: part)
      var start = base
      for (index, byte) in part.enumerated() where byte == 0 {
        locations.append(division.location(block: block, offset: start))
        start = base + index + 1
      }
      rest = rest[part.endIndex...]
    }
    byteCount += names.count
    return locations
  }

  private mutating func addBlock() {
    blocks.append([])
    // The first block grows from a few bytes, as most folders are small. The last name, of up to
    // 255 bytes and a NUL, may end after the block's size.
    if blocks.count > 1 { blocks[blocks.count - 1].reserveCapacity(blockSize + 256) }
  }

  // MARK: - Many names

  /// The bytes of all blocks, for loops over many names.
  package struct Pointers {
    fileprivate let blocks: UnsafeBufferPointer<UnsafePointer<UInt8>>
    fileprivate let division: Division

    /// The name at a location, as a C string.
    package func text(at location: Location) -> UnsafePointer<CChar> {
      let first = blocks[division.block(of: location)] + division.offset(of: location)
      return UnsafeRawPointer(first).assumingMemoryBound(to: CChar.self)
    }

    /// The name at a location, without the NUL.
    package func name(at location: Location) -> UnsafeBufferPointer<UInt8> {
      Self.name(text(at: location))
    }

    /// The bytes of a C string.
    static func name(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
      let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
      return bytes.assumingMemoryBound(to: UInt8.self)
    }
  }

  /// Calls a closure with pointers that are valid during the call.
  package func withPointers<Result>(_ body: (Pointers) -> Result) -> Result {
    var pointers: [UnsafePointer<UInt8>] = []
    pointers.reserveCapacity(blocks.count)
    return withPointers(&pointers, body)
  }

  /// Adds the pointers of the remaining blocks by recursion, each in the call that keeps it valid.
  private func withPointers<Result>(
    _ pointers: inout [UnsafePointer<UInt8>], _ body: (Pointers) -> Result
  ) -> Result {
    guard pointers.count < blocks.count else {
      return pointers.withUnsafeBufferPointer { body(Pointers(blocks: $0, division: division)) }
    }
    return blocks[pointers.count].withUnsafeBufferPointer { bytes in
      // No block is empty.
      if let first = bytes.baseAddress { pointers.append(first) }
      return withPointers(&pointers, body)
    }
  }
}
