import Geometry
import Glibc
import Photos
import WorkerRuntime

/// The file of saved filters, `$XDG_CONFIG_HOME/photogrid/filters`, with a line for each.
///
/// Other lines, such as comments, stay as they are.
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
    return try lines(of: Array(bytes[..<count]))
  }

  private func lines(of bytes: [UInt8]) throws(OptionError) -> [String] {
    guard bytes.count <= Self.longest, let text = String(validating: bytes, as: UTF8.self),
      !bytes.contains(0)
    else { throw notText }
    return text.split(separator: "\n").map(String.init)
  }

  private var notText: OptionError {
    OptionError(message: "\(PrintableArgument.text(path)): not text, or over 256 kB")
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

  /// The time to wait for another session that saves a filter, in seconds.
  private static let patience = 1.0
  /// The most attempts, if programs that do not lock the file change it.
  private static let maxAttempts = 5

  /// Adds a filter, or replaces the one with its name; other lines stay as they are.
  ///
  /// - Throws: `OptionError` if the file cannot be written; it is unchanged then.
  func save(_ filter: NamedFilter) throws(OptionError) {
    mkdir(Array(folder[..<folder.nameStart].dropLast()).terminated, 0o700)
    mkdir(folder.terminated, 0o700)
    for _ in 0..<Self.maxAttempts {
      if try saveOnce(filter) { return }
    }
    throw error(.changed)
  }

  /// Saves a filter, with the file locked before it is read, so that sessions that save at the same
  /// time lose nothing.
  ///
  /// - Returns: False if a program that does not lock the file has changed it meanwhile.
  private func saveOnce(_ filter: NamedFilter) throws(OptionError) -> Bool {
    var file = try ReplacementFault.converting(error) { () throws(ReplacementFault) in
      try LockedFile(path, patience: Self.patience)
    }
    let old = try ReplacementFault.converting(error) { () throws(ReplacementFault) in
      try file.read(atMost: Self.longest)
    }
    let kept = try lines(of: old).filter { NamedFilter(line: $0)?.name != filter.name }
    let new = Array((kept + [filter.line]).map { $0 + "\n" }.joined().utf8)
    guard new.count <= Self.longest else {
      throw OptionError(message: "\(PrintableArgument.text(path)): too many filters")
    }
    do throws(ReplacementFault) {
      try file.replace(by: new, .text(mode: 0o600))
      return true
    } catch {
      guard error == .changed else { throw self.error(error) }
      return false
    }
  }

  private func error(_ fault: ReplacementFault) -> OptionError {
    let reason: String
    switch fault {
    case .system(ENOSPC), .system(EDQUOT): reason = "the disk is full"
    case .system(let code): reason = String(cString: strerror(code))
    case .large: return notText
    case .irregular: reason = "not a file"
    case .shared: reason = "it has several names (hard links)"
    case .busy, .changed: reason = "another program is writing to it"
    case .foreign, .unverified, .unsupported: reason = "not written as it should be"
    }
    return OptionError(message: "\(reason) (\(PrintableArgument.text(path)))")
  }
}

extension ParsedArguments {
  /// Replaces an operand such as "@best-of-rome" by the folder, filter, order and grouping that
  /// were saved under the name, unless a file has that name; other options that were given stay.
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
