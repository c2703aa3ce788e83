import Glibc
import PhotoGridCore

/// The file in which a person keeps options and keys: lines `option = value`, without the dashes,
/// and `key <keys> = action`, or `key grid <keys> = action` for one view; `#` begins a comment.
///
/// A line that is wrong is told, with its number, and the rest holds.
struct ConfigurationFile {
  /// The values of options, as if they had been given on the command line.
  private(set) var values: [OptionName: [UInt8]] = [:]
  private(set) var keys = KeyMap.standard
  /// What is wrong, by the number of the line; printable.
  private(set) var faults: [(line: Int, words: String)] = []

  /// No file that a person wrote is longer, in bytes.
  private static let longest = 1 << 20
  /// More lines than these are not told one by one.
  private static let mostFaults = 20

  /// Understands a file's bytes.
  init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(OptionError) {
        try take(Self.trimmed(line))
      } catch {
        faults.append((index + 1, error.message))
      }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(OptionError) {
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    // The last of two could be a key: "key = = zoom-actual-size".
    let key = Array("key ".utf8)
    if line.starts(with: key) {
      return try takeKey(Self.trimmed(line.dropFirst(key.count)))
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      throw OptionError(
        message: "'\(PrintableArgument.text(line))': neither option = value nor key … = action")
    }
    let name = PrintableArgument.text(Self.trimmed(line[..<equals]))
    guard let entry = OptionEntry.all.first(where: { $0.name.rawValue == name }) else {
      throw OptionError(message: "\(name): no such option; photogrid --help lists them")
    }
    guard entry.isLasting else {
      throw OptionError(message: "\(name): belongs on the command line")
    }
    try take(entry, Array(Self.trimmed(line[(equals + 1)...])))
  }

  private mutating func take(
    _ entry: OptionEntry, _ value: [UInt8]
  ) throws(OptionError) {
    if entry.value == nil {
      var switches = ParsedArguments()
      try switches.turn(entry.name, by: value, of: entry.name.rawValue)
      values[entry.name] = switches.values[entry.name]
      return
    }
    // Looked at now, so that the line can be told, and what is wrong does not hold.
    var alone = ParsedArguments()
    alone.values[entry.name] = value
    do throws(OptionError) {
      _ = try Configuration(alone)
    } catch {
      throw OptionError(message: String(error.message.drop { $0 == "-" }))
    }
    values[entry.name] = value
  }

  private mutating func takeKey(_ line: ArraySlice<UInt8>) throws(OptionError) {
    guard let equals = line.lastIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
      throw OptionError(message: "key: write key <keys> = action")
    }
    var name = String(decoding: Self.trimmed(line[..<equals]), as: UTF8.self)
    // No key's name has a space in it.
    let view = KeyMap.View.allCases.first { name.hasPrefix($0.rawValue + " ") }
    if let view { name = String(name.dropFirst(view.rawValue.count).drop { $0 == " " }) }
    let action = String(decoding: Self.trimmed(line[(equals + 1)...]), as: UTF8.self)
    let command = Command(named: action)
    guard command != nil || action == "none" else {
      let shown = PrintableArgument.text(Array(action.utf8))
      throw OptionError(
        message: "key: '\(shown)' is no action; photogrid --list-keys shows them")
    }
    do throws(KeyMap.Fault) {
      try keys.bind(name, to: command, in: view)
    } catch {
      throw OptionError(message: "key: " + PrintableArgument.text(Array(error.words.utf8)))
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  // MARK: - Finding it

  /// The sentences for what is wrong in a file of that name.
  func complaints(about path: [UInt8]) -> [String] {
    let name = PrintableArgument.text(path)
    let told = faults.prefix(Self.mostFaults).map { "\(name):\($0.line): \($0.words)" }
    let rest = faults.count - told.count
    return told + (rest > 0 ? ["\(name): \(rest) more lines are wrong"] : [])
  }

  /// Where the file is if nothing else is said; nil without a home.
  static func standardPath(_ environment: [String: String]) -> [UInt8]? {
    // The base directory specification has relative paths ignored.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return Array("\(folder)/photogrid/config".utf8)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return Array("\(home)/.config/photogrid/config".utf8)
  }

  /// Reads a file; nil where there is none.
  ///
  /// - Throws: What and why, for the person.
  static func read(_ path: [UInt8]) throws(OptionError) -> [UInt8]? {
    func fault(_ why: String) -> OptionError {
      OptionError(message: "\(PrintableArgument.text(path)): \(why)")
    }
    // A pipe that nobody writes to would be waited for.
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw fault(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fault("is not a file")
    }
    guard status.st_size <= longest else { throw fault("is too long for a configuration") }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= longest {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw fault(String(cString: strerror(errno))) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw fault("is too long for a configuration")
  }
}
