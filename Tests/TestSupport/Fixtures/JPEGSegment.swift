/// A JPEG segment with its marker and length.
package func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
  [0xff, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 0xff)] + contents
}

extension [UInt8] {
  /// A JPEG file with another segment right at its start.
  package func inserting(_ segment: [UInt8]) -> [UInt8] { self[..<2] + segment + self[2...] }
}
