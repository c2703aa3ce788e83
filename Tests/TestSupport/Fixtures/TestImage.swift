/// The folder of test images, which its README describes; it ends with a slash.
package let imageFolder =
  String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
  + "Images/"

/// The bytes of a file in `imageFolder`.
package func image(_ name: String) -> [UInt8] { contents(of: imageFolder + name) }
