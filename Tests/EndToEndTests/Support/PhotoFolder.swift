import Foundation

/// A folder of photos for one test, removed with this object.
final class PhotoFolder {
  let path: String

  /// Creates an empty folder.
  init() throws {
    var template = Array("/tmp/photogrid-test.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
    path = String(cString: made)
  }

  /// Creates a folder of photos of 2 by 1, named by numbers from 00 on, in the palette's colors,
  /// repeated.
  convenience init(count: Int) throws {
    try self.init()
    for index in 0..<count {
      try add(.flat(TestPhoto.palette[index % TestPhoto.palette.count]), as: Self.name(index))
    }
  }

  deinit { _ = ProgramRun.of(["rm", "-rf", path]) }

  /// The name of a numbered photo.
  static func name(_ index: Int) -> String { (index < 10 ? "0" : "") + "\(index).png" }

  /// The path of a file in the folder.
  subscript(name: String) -> String { "\(path)/\(name)" }

  func add(_ photo: TestPhoto, as name: String) throws { try add(photo.png, as: name) }

  func add(_ bytes: [UInt8], as name: String) throws {
    try add(bytes, asBytes: Array(name.utf8))
  }

  /// Adds a file whose name need not be text.
  func add(_ bytes: [UInt8], asBytes name: [UInt8]) throws {
    let full = (Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    let descriptor = Glibc.open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw POSIXError(.EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Adds a copy of a program, and returns its path.
  ///
  /// It is not written by this process: a file that is open for writing, here or in a child of
  /// another test, cannot be run ("Text file busy").
  func addCopy(of program: String, as name: String) throws -> String {
    let run = ProgramRun.of(["cp", program, self[name]])
    guard run.status == 0 else { throw POSIXError(.EIO) }
    return self[name]
  }

  /// Adds a folder.
  func addFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: self[name], withIntermediateDirectories: true)
  }
}
