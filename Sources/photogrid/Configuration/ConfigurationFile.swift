import Glibc
import PhotoGridCore

/// The user's configuration file, which sets options and key bindings.
///
///     # a comment
///     layout = mosaic
///     key e = open
///     key grid Ctrl-t = labels
///
/// An invalid line is reported with its number, and the other lines apply.
struct ConfigurationFile {
  /// The values of options, as on the command line.
  private(set) var values: [OptionName: [UInt8]] = [:]
  private(set) var keys = KeyMap.standard
  /// The errors, with the numbers of their lines and printable messages.
  private(set) var errors: [(line: Int, message: String)] = []

  /// The longest file that is read, in bytes.
  private static let longest = 1 << 20
  private static let maxErrors = 20

  init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(OptionError) {
        try parse(Self.trimmed(line))
      } catch {
        errors.append((index + 1, error.message))
      }
    }
  }

  private mutating func parse(_ line: ArraySlice<UInt8>) throws(OptionError) {
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    // The equals sign may be a key itself, as in "key = = zoom-actual-size", so key bindings are
    // divided at the last one.
    let key = Array("key ".utf8)
    if line.starts(with: key) {
      return try parseKey(Self.trimmed(line.dropFirst(key.count)))
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      throw OptionError(
        message: "'\(PrintableArgument.text(line))': expected OPTION = VALUE or key KEYS = ACTION")
    }
    let name = PrintableArgument.text(Self.trimmed(line[..<equals]))
    guard let entry = OptionEntry.all.first(where: { $0.name.rawValue == name }) else {
      throw OptionError(message: "\(name): unknown option; photogrid --help lists all options")
    }
    guard entry.isLasting else {
      throw OptionError(message: "\(name): allowed only on the command line")
    }
    try set(entry, Array(Self.trimmed(line[(equals + 1)...])))
  }

  private mutating func set(
    _ entry: OptionEntry, _ value: [UInt8]
  ) throws(OptionError) {
    if entry.value == nil {
      var switches = ParsedArguments()
      try switches.turn(entry.name, by: value, from: entry.name.rawValue)
      values[entry.name] = switches.values[entry.name]
      return
    }
    // Checked here rather than with all options, so that the message includes the line number.
    var alone = ParsedArguments()
    alone.values[entry.name] = value
    do throws(OptionError) {
      _ = try Configuration(alone)
    } catch {
      throw OptionError(message: String(error.message.drop { $0 == "-" }))
    }
    values[entry.name] = value
  }

  /// Binds the keys of a line after the word "key".
  private mutating func parseKey(_ line: ArraySlice<UInt8>) throws(OptionError) {
    guard let equals = line.lastIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
      throw OptionError(message: "key: expected key KEYS = ACTION")
    }
    var name = String(decoding: Self.trimmed(line[..<equals]), as: UTF8.self)
    // A view's name is followed by a space, which names of keys do not contain.
    let view = KeyMap.View.allCases.first { name.hasPrefix($0.rawValue + " ") }
    if let view { name = String(name.dropFirst(view.rawValue.count).drop { $0 == " " }) }
    let action = String(decoding: Self.trimmed(line[(equals + 1)...]), as: UTF8.self)
    let command = Command(named: action)
    guard command != nil || action == "none" else {
      let shown = PrintableArgument.text(Array(action.utf8))
      throw OptionError(
        message: "key: '\(shown)' is not an action; photogrid --list-keys lists all actions")
    }
    do throws(KeyMap.BindingError) {
      try keys.bind(name, to: command, in: view)
    } catch {
      throw OptionError(message: "key: " + PrintableArgument.text(Array(error.message.utf8)))
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  // MARK: - The file

  func errorMessages(for path: [UInt8]) -> [String] {
    let name = PrintableArgument.text(path)
    let messages = errors.prefix(Self.maxErrors).map { "\(name):\($0.line): \($0.message)" }
    let rest = errors.count - messages.count
    guard rest > 0 else { return messages }
    return messages + ["\(name): \(rest) more \(rest == 1 ? "line has" : "lines have") errors"]
  }

  /// The default path of the file; nil without a home folder.
  static func standardPath(_ environment: [String: String]) -> [UInt8]? {
    BaseDirectory.path(.config) { name in environment[name].map { Array($0.utf8) } }
      .map { $0 + "/photogrid/config".utf8 }
  }

  /// Reads a file; nil if it does not exist.
  ///
  /// - Throws: `OptionError` if it cannot be read.
  static func read(_ path: [UInt8]) throws(OptionError) -> [UInt8]? {
    func fault(_ why: String) -> OptionError {
      OptionError(message: "\(PrintableArgument.text(path)): \(why)")
    }
    // `O_NONBLOCK` avoids waiting for a pipe that no program writes to.
    let descriptor = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw fault(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fault("is not a file")
    }
    guard status.st_size <= longest else { throw fault("is too large for a configuration file") }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= longest {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw fault(String(cString: strerror(errno))) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw fault("is too large for a configuration file")
  }
}
