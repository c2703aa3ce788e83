/// The bytes of a file in `Images`, which is described in the folder's README.
package func image(_ name: String) -> [UInt8] {
  let folder = #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)
  return contents(of: "\(folder)Images/\(name)")
}
