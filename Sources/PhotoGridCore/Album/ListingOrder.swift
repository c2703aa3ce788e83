/// The order in which photos of folders and their subfolders are shown: a folder's own photos by
/// their names, then those of its subfolders, one subfolder after the other.
package enum ListingOrder {
  /// Whether the photo at `left` comes before the one at `right`.
  ///
  /// Folder paths end in a slash, or are empty.
  package static func precedes(
    _ left: (folder: [UInt8], name: ArraySlice<UInt8>),
    _ right: (folder: [UInt8], name: ArraySlice<UInt8>)
  ) -> Bool {
    switch order(of: left.folder, right.folder) {
    case 0: precedes(left.name, right.name)
    case let order: order < 0
    }
  }

  /// Whether the photos of the folder `left` come before (below 0) or after (above 0) those of
  /// `right`; 0 for the same folder.
  ///
  /// Photos of a folder come before those of the folders in it.
  package static func order(of left: [UInt8], _ right: [UInt8]) -> Int {
    guard left != right else { return 0 }
    var start = 0
    for (place, (a, b)) in zip(left, right).enumerated() {
      guard a == b else { break }
      if a == UInt8(ascii: "/") { start = place + 1 }
    }
    if start == left.count { return -1 }
    if start == right.count { return 1 }
    let (first, second) = (component(of: left, at: start), component(of: right, at: start))
    return precedes(first, second) ? -1 : 1
  }

  private static func component(of folder: [UInt8], at start: Int) -> ArraySlice<UInt8> {
    folder[start..<(folder[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.count)]
  }

  /// Whether a name comes before another in the same folder; names of subfolders, which end in a
  /// slash, come before those of photos.
  package static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    let isFolder = left.last == UInt8(ascii: "/")
    guard isFolder == (right.last == UInt8(ascii: "/")) else { return isFolder }
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in NaturalOrder.precedes(left, right) }
    }
  }
}
