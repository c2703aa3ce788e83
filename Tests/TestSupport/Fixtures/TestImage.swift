/// The folder of test images, which its README describes; it ends with a slash.
package let imageFolder =
  String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
  + "Images/"

/// The bytes of a file in `imageFolder`.
package func image(_ name: String) -> [UInt8] { contents(of: imageFolder + name) }

/// An AVIF whose picture has the property of its creation, at a time in microseconds since 1904.
package func datedAVIF(_ time: UInt64) -> [UInt8] {
  let property =
    [0, 0, 0, 20] + Array("crtt".utf8) + [0, 0, 0, 0]
    + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
  var bytes = image("card.avif")
  bytes.insert(contentsOf: property, at: 244)
  // The lengths of the boxes around it, and the place of the picture, which follows.
  for place in [32, 161, 169] { bytes[place + 3] += 20 }
  bytes[116] += 20
  return bytes
}
