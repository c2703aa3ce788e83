import PhotoGridCore

/// The path of a photo or folder, and the root below which it was found.
package struct PhotoPath: Hashable, Sendable {
  package var root: Int
  /// The path as bytes without NUL; the path of a folder ends in a slash.
  package var path: [UInt8]

  package init(root: Int, path: [UInt8]) {
    self.root = root
    self.path = path
  }

  /// The size in a message, in bytes.
  package var byteCount: Int { path.count + 6 }
}

extension PhotoPath: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(root, path) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (root, path) = (try reader.read(), try reader.readPath())
  }
}

/// A change of one photo's file, or of a folder that has a tile.
package enum PhotoChange: Equatable, Sendable {
  /// The file exists and is complete: it is new, or its contents may have changed.
  case present(PhotoPath)
  case absent(PhotoPath)
  /// The file was renamed or moved; it replaces a file that had the new path before.
  case renamed(PhotoPath, to: PhotoPath)
  /// A sidecar was written or removed; the path is the sidecar's without ".xmp".
  ///
  /// It is `a.jpg` for the sidecar `a.jpg.xmp`, and `a` for `a.xmp`.
  case annotated(PhotoPath)

  /// Returns the change without the paths that satisfy a predicate; nil if nothing remains.
  ///
  /// A rename from such a path becomes `present` for the new path, and a rename to such a path
  /// becomes `absent` for the old one. Changes of sidecars always remain.
  package func leavingOut(_ isLeftOut: (PhotoPath) -> Bool) -> PhotoChange? {
    switch self {
    case .annotated: return self
    case .present(let path), .absent(let path): return isLeftOut(path) ? nil : self
    case .renamed(let old, let new):
      switch (isLeftOut(old), isLeftOut(new)) {
      case (false, false): return self
      case (true, false): return .present(new)
      case (false, true): return .absent(old)
      case (true, true): return nil
      }
    }
  }

  /// The size in a message, in bytes.
  package var byteCount: Int {
    switch self {
    case .present(let path), .absent(let path), .annotated(let path): path.byteCount + 1
    case .renamed(let old, let new): old.byteCount + new.byteCount + 1
    }
  }
}

extension PhotoChange: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .present(let path): payload.write(UInt8(1), path)
    case .absent(let path): payload.write(UInt8(2), path)
    case .renamed(let old, let new): payload.write(UInt8(3), old, new)
    case .annotated(let path): payload.write(UInt8(4), path)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .present(try reader.read())
    case 2: self = .absent(try reader.read())
    case 3: self = .renamed(try reader.read(), to: try reader.read())
    case 4: self = .annotated(try reader.read())
    case let kind: throw .unknownKind(kind)
    }
  }
}
