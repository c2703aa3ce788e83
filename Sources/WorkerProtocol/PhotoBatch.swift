/// Some photos of one folder, by their names; folders in it too, by names that end in a slash.
package struct PhotoBatch: Equatable, Sendable {
  /// The number, in the request, of the root through which they were found.
  package var root: Int
  /// What stands before each name in its path: a folder with its slash, or nothing.
  package var folder: [UInt8]
  /// The names one after the other, a NUL behind each.
  package private(set) var names: [UInt8] = []
  /// How many names there are.
  package private(set) var count = 0

  /// A batch without names yet.
  package init(root: Int, folder: [UInt8]) {
    self.root = root
    self.folder = folder
  }

  /// The photo of a path, in a batch of its own.
  package init(root: Int, path: [UInt8]) {
    let start = PhotoPath.nameStart(in: path)
    self.init(root: root, folder: Array(path[..<start]))
    append(path[start...])
  }

  /// Adds a name, which has no NUL.
  package mutating func append(_ name: some Collection<UInt8>) {
    names.append(contentsOf: name)
    names.append(0)
    count += 1
  }

  /// Paths of the first root in their order, those of one folder after the other in one batch.
  package static func batches(of paths: [[UInt8]]) -> [PhotoBatch] {
    var batches: [PhotoBatch] = []
    for path in paths {
      let slash = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      if batches.last.map({ $0.folder[...] != path[..<slash] }) ?? true {
        batches.append(PhotoBatch(root: 0, folder: Array(path[..<slash])))
      }
      batches[batches.count - 1].append(path[slash...])
    }
    return batches
  }

  /// Visits the names in their order.
  package func forEachName(_ body: (ArraySlice<UInt8>) -> Void) {
    var start = 0
    while start < names.count {
      let end = names[start...].firstIndex(of: 0) ?? names.count
      body(names[start..<end])
      start = end + 1
    }
  }

  /// The paths, put together.
  package var paths: [[UInt8]] {
    names.split(separator: 0).map { folder + $0 }
  }

  /// Bytes that it takes in a message.
  package var byteCount: Int { folder.count + names.count + 16 }

  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(root))
    payload.write(string: folder)
    payload.write(UInt32(names.count))
    payload.write(raw: names)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    root = Int(try reader.read(UInt32.self))
    folder = try reader.readString()
    names = Array(try reader.take(Int(try reader.read(UInt32.self))))
    guard !folder.contains(0), names.first != 0, names.isEmpty || names.last == 0 else {
      throw .malformed
    }
    var last: UInt8 = 1
    for byte in names {
      if byte == 0 {
        guard last != 0 else { throw .malformed }
        count += 1
      }
      last = byte
    }
  }
}
