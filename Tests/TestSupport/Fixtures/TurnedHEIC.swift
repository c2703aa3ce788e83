/// The picture `card.heic` with properties that turn it, as phones write them.
package enum TurnedHEIC {
  /// Makes the file with some properties besides those that it has.
  ///
  /// - Parameter properties: Their types, "irot" or "imir", and their values, in the order in which they
  ///   are applied.
  /// - Returns: The bytes.
  package static func file(_ properties: [(type: String, value: UInt8)]) -> [UInt8] {
    var bytes = image("card.heic")
    // Where the boxes are, and the number of properties of the second picture, which is the primary one.
    let (meta, iloc, iprp, ipco, ipma, count) = (28, 103, 256, 264, 446, 469)
    let boxes = properties.flatMap { property -> [UInt8] in
      [0, 0, 0, 9] + Array(property.type.utf8) + [property.value]
    }
    let indices = properties.indices.map { UInt8(0x80 | ($0 + 5)) }
    bytes[count] += UInt8(properties.count)
    bytes.insert(contentsOf: indices, at: count + 3)
    bytes.insert(contentsOf: boxes, at: ipma)
    let growth = boxes.count + indices.count
    func grow(_ place: Int, by growth: Int) {
      let value = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } + growth
      for index in 0..<4 { bytes[place + index] = UInt8(value >> (24 - index * 8) & 0xff) }
    }
    grow(meta, by: growth)
    grow(iprp, by: growth)
    grow(ipco, by: boxes.count)
    grow(ipma + boxes.count, by: indices.count)
    // The pictures' data come after the boxes: the offsets of the first and the third one.
    for offset in [0x208, 0x291] {
      let place = (iloc..<(iloc + 76)).first {
        bytes[$0..<($0 + 4)].elementsEqual([0, 0, UInt8(offset >> 8), UInt8(offset & 0xff)])
      }
      if let place { grow(place, by: growth) }
    }
    return bytes
  }
}
