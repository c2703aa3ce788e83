import Glibc
import PhotoGridCore

/// The file of saved filters, `$XDG_CONFIG_HOME/photogrid/filters`, with a line for each.
///
/// Lines that are none of them, such as comments, stay as they are.
struct FilterFile {
  private let folder: [UInt8]
  private var path: [UInt8] { folder + "/filters".utf8 }

  /// The longest file that is read, in bytes.
  private static let longest = 256 << 10

  init?() {
    guard let folder = BaseDirectory.path(.config) else { return nil }
    self.init(folder: folder + "/photogrid".utf8)
  }

  /// Locates the file in a folder, which need not exist.
  init(folder: [UInt8]) { self.folder = folder }

  /// Returns the lines of the file, none if there is no file.
  ///
  /// - Throws: `OptionError` if it cannot be read, or is not a text.
  private func lines() throws(OptionError) -> [String] {
    let name = PrintableArgument.text(path)
    let file = open(path.terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      guard errno != ENOENT else { return [] }
      throw OptionError(message: "\(name): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest + 1)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else {
      throw OptionError(message: "\(name): \(String(cString: strerror(errno)))")
    }
    guard count <= Self.longest, let text = String(validating: bytes[..<count], as: UTF8.self),
      !bytes[..<count].contains(0)
    else { throw OptionError(message: "\(name): not text, or over 256 kB") }
    return text.split(separator: "\n").map(String.init)
  }

  /// Reads all filters, the last one of each name.
  ///
  /// - Throws: `OptionError` if the file cannot be read, or is not a text.
  func filters() throws(OptionError) -> [NamedFilter] {
    var filters: [NamedFilter] = []
    for filter in try lines().compactMap({ NamedFilter(line: $0) }) {
      filters.removeAll { $0.name == filter.name }
      filters.append(filter)
    }
    return filters
  }

  /// Adds a filter, or replaces that of its name; other lines stay as they are.
  ///
  /// - Throws: `OptionError` if the file cannot be written; it is unchanged then.
  func save(_ filter: NamedFilter) throws(OptionError) {
    // Read again, because another session may have saved filters.
    let kept = try lines().filter { NamedFilter(line: $0)?.name != filter.name }
    let bytes = Array((kept + [filter.line]).map { $0 + "\n" }.joined().utf8)
    guard bytes.count <= Self.longest else {
      throw OptionError(message: "\(PrintableArgument.text(path)): too many filters")
    }
    mkdir(Array(folder[..<folder.nameStart].dropLast()).terminated, 0o700)
    mkdir(folder.terminated, 0o700)
    let temporary = (path + ".\(getpid())".utf8).terminated
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var code = file >= 0 ? 0 : errno
    if file >= 0 {
      let count = write(file, bytes, bytes.count)
      // A count that is too small is no error of the call, and sets no code.
      if count != bytes.count { code = count < 0 ? errno : ENOSPC }
      if code == 0, fsync(file) != 0 { code = errno }
      close(file)
    }
    if code == 0, rename(temporary, path.terminated) != 0 { code = errno }
    guard code != 0 else { return }
    unlink(temporary)
    let isFull = code == ENOSPC || code == EDQUOT
    let reason = isFull ? "the disk is full" : String(cString: strerror(code))
    throw OptionError(message: "\(reason) (\(PrintableArgument.text(path)))")
  }
}

extension ParsedArguments {
  /// Replaces an operand such as "@best-of-rome" by the folder, the filter, the order and the grouping
  /// that were saved as that, unless there is such a file; other options that were given stay.
  ///
  /// - Throws: `OptionError` if nothing was saved under the name.
  mutating func expandSavedFilter(
    from file: FilterFile? = FilterFile()
  ) throws(OptionError) {
    guard let index = operands.firstIndex(where: { $0.first == UInt8(ascii: "@") }) else { return }
    let operand = operands[index]
    var status = stat()
    let name = String(decoding: operand.dropFirst(), as: UTF8.self)
    guard lstat(operand.terminated, &status) != 0, NamedFilter.isName(name) else { return }
    let filters = try file?.filters() ?? []
    guard let saved = filters.first(where: { $0.name == name }) else {
      let known = filters.map { "@" + $0.name }.joined(separator: ", ")
      throw OptionError(
        message: "@\(name): no saved filter has that name"
          + (known.isEmpty ? "" : ". Saved: " + PrintableText.from(known.utf8)))
    }
    operands.remove(at: index)
    if operands.isEmpty, !saved.folder.isEmpty { operands = [Array(saved.folder.utf8)] }
    func set(_ name: OptionName, _ text: String) {
      if values[name] == nil { values[name] = Array(text.utf8) }
    }
    if !saved.filter.isEmpty { set(.filter, saved.filter) }
    if saved.grouping != .none { set(.group, saved.grouping.rawValue) }
    if saved.order.key != .listed, values[.sort] == nil {
      set(.sort, saved.order.keyName)
      if saved.order.isReversed { values[.reverse] = [] }
    }
  }
}
