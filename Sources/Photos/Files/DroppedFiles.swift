import Geometry

/// The files that another program has dropped on the window, from its list of URIs (RFC 2483).
package struct DroppedFiles: Equatable, Sendable {
  /// The absolute paths of files on this computer, each once.
  package private(set) var paths: [[UInt8]] = []
  /// The number of files on other computers.
  package private(set) var remoteCount = 0
  /// The number of URIs that are no files, such as those of web pages.
  package private(set) var otherCount = 0

  /// The most URIs in a list.
  package static let maxCount = 10_000
  /// The longest list, in bytes.
  package static let maxByteCount = 4 << 20

  /// Parses a list, in which every line is a URI, or a comment that begins with "#"; nil if the list is too
  /// long.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - host: The name of this computer.
  package init?(list: [UInt8], host: String) {
    guard list.count <= Self.maxByteCount else { return nil }
    var known: Set<[UInt8]> = []
    let lines = list.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    for uri in lines where uri.first != UInt8(ascii: "#") {
      guard known.count + remoteCount + otherCount < Self.maxCount else { return nil }
      let scheme = "file:"
      guard String(decoding: uri.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
      else {
        otherCount += 1
        continue
      }
      switch Self.path(of: uri.dropFirst(scheme.utf8.count), on: host) {
      case nil: remoteCount += 1
      case let path?:
        // The system's paths end at a NUL.
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else {
          otherCount += 1
          continue
        }
        if known.insert(path).inserted { paths.append(path) }
      }
    }
  }

  /// Returns the path in the rest of a URI after "file:", which is "//host/path" or "/path"; nil if the
  /// host is another computer.
  private static func path(of rest: ArraySlice<UInt8>, on host: String) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    guard rest.prefix(2).elementsEqual([slash, slash]) else { return Array(rest).percentDecoded }
    let authority = rest.dropFirst(2).prefix { $0 != slash }
    let name = String(decoding: authority, as: UTF8.self).lowercased()
    guard ["", "localhost", host.lowercased()].contains(name) else { return nil }
    return Array(rest[authority.endIndex...]).percentDecoded
  }

  /// Returns the list of URIs of files on this computer.
  package static func list(of paths: [[UInt8]]) -> [UInt8] {
    paths.flatMap { "file://".utf8 + $0.percentEncoded + "\r\n".utf8 }
  }

  /// The paths of files that are copied together and get the same number if their names are taken: a
  /// photo, its raw file, and its sidecars.
  package var groups: [[[UInt8]]] {
    var groups: [[[UInt8]]] = []
    var numbers: [[UInt8]: Int] = [:]
    for path in paths {
      let photo = Sidecar.isSidecar(path) ? Sidecar.stem(of: path) : path
      let stem = Array(photo[..<photo[photo.nameStart...].extensionStart])
      if let number = numbers[stem] {
        groups[number].append(path)
      } else {
        numbers[stem] = groups.count
        groups.append([path])
      }
    }
    return groups
  }
}
