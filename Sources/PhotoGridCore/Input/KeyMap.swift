import SceneModel

/// The commands that keys trigger in each view.
package struct KeyMap: Equatable, Sendable {
  /// The commands of each view, by key name or by the names of two keys in a row.
  private var maps: [View: [String: Command]]
  /// The first keys of two-key sequences in each view, such as the `g` of `gg`.
  private var prefixes: [View: Set<Character>]

  /// The reason why a key cannot be bound.
  package struct BindingError: Error, Equatable {
    /// The key and the reason; the key is quoted as given, so it can contain control characters.
    package let message: String
  }

  package static let standard = KeyMap()

  private init() {
    (maps, prefixes) = ([:], [:])
    for view in View.allCases {
      let keys = Self.entries(of: view).flatMap { entry in entry.keys.map { ($0, entry.command) } }
      self[view] = Dictionary(keys) { $1 }
    }
    findPrefixes()
  }

  /// The entries of each view in the table of commands, in the order of the help.
  private static let entries = Dictionary(
    uniqueKeysWithValues: View.allCases.map { ($0, KeyTable.entries(in: $0)) })

  static func entries(of view: View) -> [CommandEntry] { entries[view] ?? [] }

  /// All commands that keys can be bound to, without duplicates, in the order of the help.
  package static let commands: [Command] = {
    var seen: Set<Command> = []
    return KeyTable.topics.flatMap(\.sections).flatMap(\.lines).flatMap(\.entries).map(\.command)
      .filter { seen.insert($0).inserted }
  }()

  /// A view with keys of its own, by its name in a configuration: the grid, the viewer, or the
  /// comparison.
  package enum View: String, CaseIterable, Sendable {
    case grid
    case viewer = "detail"
    case comparison = "compare"
  }

  /// Binds a key or a sequence of two keys to a command, or unbinds it.
  ///
  /// - Throws: `BindingError` if the key or sequence cannot be bound.
  package mutating func bind(
    _ name: String, to command: Command?, in view: View? = nil
  ) throws(BindingError) {
    guard Self.isKey(name) || Self.isSequence(name) else {
      throw BindingError(message: "'\(name)' is not a key")
    }
    guard name.first?.isWholeNumber != true || name.count > 1 || name == "0" else {
      throw BindingError(message: "'\(name)' is reserved for counts")
    }
    guard name != "Ctrl-c" else { throw BindingError(message: "Ctrl-c cannot be rebound") }
    let possible = View.allCases.filter { command == nil || Self.isPossible(command, in: $0) }
    if let view, !possible.contains(view), let command {
      throw BindingError(message: "'\(command.name)' does nothing in the \(view.rawValue) view")
    }
    let views = possible.filter { view == nil || $0 == view }
    if command != nil {
      for view in views { try Self.check(name, in: self[view]) }
    }
    for view in views { self[view][name] = command }
    findPrefixes()
  }

  /// The commands of a view, by the names of keys.
  package private(set) subscript(_ view: View) -> [String: Command] {
    get { maps[view] ?? [:] }
    set { maps[view] = newValue }
  }

  /// Checks that a key with a command of its own does not begin a sequence.
  private static func check(_ name: String, in map: [String: Command]) throws(BindingError) {
    if isSequence(name), let first = name.first.map(String.init), map[first] != nil {
      throw BindingError(message: "'\(first)' alone is already bound to an action")
    }
    let sequence = map.keys.filter { $0.hasPrefix(name) && $0 != name && isSequence($0) }.min()
    if let sequence { throw BindingError(message: "'\(name)' conflicts with '\(sequence)'") }
  }

  private static func isPossible(_ command: Command?, in view: View) -> Bool {
    entries(of: view).contains { $0.command == command }
  }

  /// Returns the entry of a command; nil if the view has none.
  static func entry(of command: Command, in view: View) -> CommandEntry? {
    entries(of: view).first { $0.command == command }
  }

  /// Binds `Enter` to choosing, and `e` to opening a photo in the views where `e` is free.
  package mutating func bindChooseKey() {
    for view in View.allCases { self[view]["Enter"] = .app(.choose) }
    for view in View.allCases where self[view]["e"] == nil && !isPrefix("e", in: view) {
      self[view]["e"] = .navigation(.open)
    }
  }

  private static func isKey(_ name: String) -> Bool { Key(named: name) != nil }

  private static func isSequence(_ name: String) -> Bool {
    name.count == 2 && !isKey(name) && name.allSatisfy { isKey(String($0)) }
      && name.first?.isWholeNumber == false
  }

  private mutating func findPrefixes() {
    for view in View.allCases {
      prefixes[view] = Set(self[view].keys.filter(Self.isSequence).compactMap(\.first))
    }
  }

  /// Whether a key begins a sequence of two keys in a view.
  package func isPrefix(_ key: Character, in view: View) -> Bool {
    prefixes[view]?.contains(key) ?? false
  }

  // MARK: - Descriptions

  /// Returns the keys that are bound to a command: its default keys first, then others.
  package func keys(of entry: CommandEntry, in view: View) -> [String] {
    let map = self[view]
    let own = entry.keys.filter { map[$0] == entry.command }
    let others = map.filter { name, command in
      command == entry.command && !entry.keys.contains(name)
    }
    return own + others.keys.sorted()
  }

  /// All keys of a view with their commands.
  func boundKeys(in view: View) -> [(key: String, command: Command)] {
    self[view].map { (key: $0.key, command: $0.value) }
  }

  /// The configuration lines that turn the standard map into this map.
  ///
  /// A key that has the same command in every view of the command takes one line, such as
  /// `key gg = first`; others take a line for each view, such as `key grid n = find-next` and
  /// `key detail n = next`.
  package var lines: [String] {
    let names = Set(View.allCases.flatMap { self[$0].keys }).subtracting(["Ctrl-c"]).sorted()
    var bound: [Command: [String]] = [:]
    for name in names {
      for command in Set(View.allCases.compactMap { self[$0][name] }) {
        bound[command, default: []].append(name)
      }
    }
    let lines = Self.commands.flatMap { command in
      let possible = View.allCases.filter { Self.isPossible(command, in: $0) }
      return (bound[command] ?? []).flatMap { name -> [String] in
        let views = View.allCases.filter { self[$0][name] == command }
        if views.count > 1, views == possible, views.contains(.grid) {
          return ["key \(name) = \(command.name)"]
        }
        return views.map { "key \($0.rawValue) \(name) = \(command.name)" }
      }
    }
    // Unbind first, so that a sequence's first key is free before the sequence is bound.
    return unboundLines + lines
  }

  /// The configuration lines that unbind keys of the standard map.
  private var unboundLines: [String] {
    let standard = Self.standard
    let names = Set(View.allCases.flatMap { standard[$0].keys }).sorted()
    return names.flatMap { name -> [String] in
      let wanted = View.allCases.filter { standard[$0][name] != nil }
      let freed = wanted.filter { self[$0][name] == nil }
      let isFree = View.allCases.allSatisfy { self[$0][name] == nil }
      if !freed.isEmpty, isFree { return ["key \(name) = none"] }
      return freed.map { "key \($0.rawValue) \(name) = none" }
    }
  }
}

extension KeyMap {
  /// Returns the first key of a command; nil if it has none in the view.
  package func key(of command: Command, in view: View) -> String? {
    Self.entry(of: command, in: view).flatMap { keys(of: $0, in: view).first }
  }

  /// Returns the effect of a key in another view, and how to get there; nil if it has none.
  func place(of name: String, besides view: View) -> String? {
    let others: [(View, String, Command)] = [
      (.viewer, "in an open photo", .navigation(.open)),
      (.grid, "in the grid", .navigation(.stepOut)),
    ]
    for (other, place, way) in others where other != view {
      guard let command = self[other][name], let entry = Self.entry(of: command, in: other),
        let key = key(of: way, in: view)
      else { continue }
      return "\(entry.title), \(place); \(key) \(view == .grid ? "opens one" : "goes there")"
    }
    return nil
  }

  /// Returns a line with the keys that choose photos and cancel; nil unless Enter chooses.
  func choiceSummary(in view: View) -> String? {
    guard self[view]["Enter"] == .app(.choose) else { return nil }
    let mark = key(of: .album(.markOn), in: view) ?? key(of: .album(.mark), in: view)
    let parts = [
      "Enter chooses", mark.map { "\($0) marks several" },
      key(of: .app(.quit), in: view).map { "\($0) cancels" },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  /// Returns a line with the most important keys of a view, as they are bound in it, for sessions that
  /// are not to choose photos.
  package func summary(in view: View) -> String {
    func key(_ command: Command) -> String? { self.key(of: command, in: view) }
    // Outside the grid, the key that opens a photo closes it.
    let ofView =
      view == .grid
      ? [key(.navigation(.open)).map { "\($0) opens" }]
      : [
        key(.navigation(.stepOut)).map { "\($0) closes" },
        key(.viewer(.zoom(.larger))).map { "\($0) zooms in" },
      ]
    let parts =
      ofView + [
        key(.app(.showPalette)).map { "\($0) finds commands" },
        key(.app(.toggleHelp)).map { "\($0) lists all keys" },
      ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}
