import Glibc

/// A hash table of names with open addressing, which finds the index of a name in constant time.
///
/// The hash has a random key, because anyone may have created the files and could otherwise choose
/// names with equal hashes. It is faster than `Hasher`, which matters for millions of names.
struct NameTable {
  /// The slots, in which a name is at its hash or at the first slot after that which was free.
  ///
  /// The upper 32 bits of a slot are those of the hash, the lower 32 the index of the name plus 1.
  /// A free slot is 0.
  private var slots: [UInt64] = []
  private var count = 0
  private let keys = (UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max)) | 1)

  /// Whether another name can be entered: fewer than half of the slots are used.
  var hasRoom: Bool { count < slots.count / 2 }

  /// Empties the table, and makes room for at least a number of names.
  mutating func reset(count: Int) {
    var size = 64
    while size < 2 * (count + 1) { size *= 2 }
    slots = Array(repeating: 0, count: size)
    self.count = 0
  }

  /// Enters a name that is not in the table yet, if there is room.
  mutating func enter(_ name: UnsafeRawBufferPointer, index: Int) {
    guard hasRoom else { return }
    let hash = hash(name)
    let entry = hash & 0xffff_ffff_0000_0000 | UInt64(UInt32(truncatingIfNeeded: index + 1))
    slots.withUnsafeMutableBufferPointer { slots in
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
    count += 1
  }

  /// Returns the index of a name; nil if it is not in the table.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isName: Returns whether the name at an index is equal to `name`.
  /// - Returns: The index.
  func index(of name: UnsafeRawBufferPointer, where isName: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let hash = hash(name)
    return slots.withUnsafeBufferPointer { slots in
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 {
        if slots[slot] >> 32 == hash >> 32 {
          let index = Int(UInt32(truncatingIfNeeded: slots[slot])) - 1
          if isName(index) { return index }
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// Returns the hash of a name: eight bytes at a time, each time multiplied by a random number and
  /// folded.
  private func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
    var hash = keys.0 ^ UInt64(truncatingIfNeeded: name.count)
    var place = 0
    while place + 8 <= name.count {
      hash = mixed(hash ^ name.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < name.count {
      rest = rest << 8 | UInt64(name[place])
      place += 1
    }
    return mixed(mixed(hash ^ rest))
  }

  private func mixed(_ number: UInt64) -> UInt64 {
    let product = number.multipliedFullWidth(by: keys.1)
    return product.high ^ product.low ^ number >> 29
  }
}
