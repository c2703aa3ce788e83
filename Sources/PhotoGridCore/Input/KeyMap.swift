/// Which key does what, in each view.
package struct KeyMap: Equatable, Sendable {
  /// The commands of the grid by the names of keys, or of two keys one after the other.
  package private(set) var grid: [String: Command]
  /// The commands of a photo on the screen.
  package private(set) var detail: [String: Command]
  /// The keys that sequences of two begin with: the `g` of `gg`.
  package private(set) var prefixes: Set<Character>

  /// Why a key cannot be bound.
  package struct Fault: Error, Equatable {
    /// What and why, printable only if the key's name is.
    package let message: String
  }

  /// The keys as the help describes them.
  package static let standard = KeyMap()

  private init() {
    func map(_ bindings: [KeyBinding]) -> [String: Command] {
      Dictionary(
        bindings.flatMap { binding in binding.keys.map { ($0, binding.command) } }
      ) { $1 }
    }
    grid = map(Self.gridBindings)
    detail = map(Self.detailBindings)
    prefixes = []
    findPrefixes()
  }

  /// The lines of the grid's keys.
  private static let gridBindings =
    KeyBinding.grid + KeyBinding.gridAlbum + KeyBinding.common + KeyBinding.album
  /// The lines of the keys of a photo on the screen.
  private static let detailBindings = KeyBinding.detail + KeyBinding.common + KeyBinding.album

  private static func bindings(of view: View) -> [KeyBinding] {
    switch view {
    case .grid: gridBindings
    case .detail: detailBindings
    }
  }

  /// All commands that keys can be bound to, each once, in the order of the help.
  package static let commands: [Command] = {
    var seen: Set<Command> = []
    return (gridBindings + detailBindings).map(\.command).filter { seen.insert($0).inserted }
  }()

  /// What keys are looked up for: the grid, or a photo on the screen.
  package enum View: String, CaseIterable, Sendable { case grid, detail }

  /// Lets a key, or two one after the other, do something else in one view, or nothing there.
  ///
  /// - Parameters:
  ///   - name: The key, as the help writes it.
  ///   - command: What it does from now on; nil for nothing.
  ///   - view: Where; nil for every view in which that can be done.
  /// - Throws: Why not.
  package mutating func bind(
    _ name: String, to command: Command?, in view: View? = nil
  ) throws(Fault) {
    guard Self.isKey(name) || Self.isSequence(name) else {
      throw Fault(message: "'\(name)' is no key")
    }
    guard name.first?.isWholeNumber != true || name.count > 1 || name == "0" else {
      throw Fault(message: "'\(name)' is part of a count")
    }
    guard name != "Ctrl-c" else { throw Fault(message: "Ctrl-c always ends the program") }
    let possible = View.allCases.filter { command == nil || Self.isPossible(command, in: $0) }
    if let view, !possible.contains(view), let command {
      throw Fault(message: "'\(command.name)' does nothing in the \(view.rawValue)")
    }
    let views = possible.filter { view == nil || $0 == view }
    if command != nil {
      for view in views { try Self.check(name, in: self[view]) }
    }
    for view in views { self[view][name] = command }
    findPrefixes()
  }

  /// The commands of a view by the names of keys.
  private(set) subscript(_ view: View) -> [String: Command] {
    get {
      switch view {
      case .grid: grid
      case .detail: detail
      }
    }
    set {
      switch view {
      case .grid: grid = newValue
      case .detail: detail = newValue
      }
    }
  }

  /// A key that acts at once never begins a sequence.
  private static func check(_ name: String, in map: [String: Command]) throws(Fault) {
    if isSequence(name), let first = name.first.map(String.init), map[first] != nil {
      throw Fault(message: "'\(first)' does something by itself already")
    }
    let sequence = map.keys.sorted().first { isSequence($0) && $0.hasPrefix(name) && $0 != name }
    if let sequence { throw Fault(message: "'\(sequence)' begins with it") }
  }

  private static func isPossible(_ command: Command?, in view: View) -> Bool {
    bindings(of: view).contains { $0.command == command }
  }

  /// The line of the help that is about a command.
  static func binding(of command: Command, in view: View) -> KeyBinding? {
    bindings(of: view).first { $0.command == command }
  }

  /// Has `Enter` choose, and a key that is free open a photo in its place.
  package mutating func bindChoosing() {
    (grid["Enter"], detail["Enter"]) = (.app(.choose), .app(.choose))
    guard !prefixes.contains("e") else { return }
    if grid["e"] == nil { grid["e"] = .navigation(.open) }
    if detail["e"] == nil { detail["e"] = .navigation(.open) }
  }

  private static func isKey(_ name: String) -> Bool { Key(named: name) != nil }

  private static func isSequence(_ name: String) -> Bool {
    name.count == 2 && !isKey(name) && name.allSatisfy { isKey(String($0)) }
      && name.first?.isWholeNumber == false
  }

  private mutating func findPrefixes() {
    let sequences = Set(grid.keys).union(detail.keys).filter(Self.isSequence)
    prefixes = Set(sequences.compactMap(\.first))
  }

  // MARK: - Telling

  /// The keys of a line of the help as they are bound now: its own first, then others.
  func keys(of binding: KeyBinding, in view: View) -> [String] {
    let map = self[view]
    let own = binding.keys.filter { map[$0] == binding.command }
    let standard = Self.standard
    let others = map.filter { name, command in
      command == binding.command && standard[view][name] != command
    }
    return own + others.keys.sorted()
  }

  /// The map as lines of a configuration: `key gg = first` where a key does the same in the grid
  /// and in the detail, else `key grid n = find-next` and `key detail n = next`.
  ///
  /// Reading them over the standard map gives this one again.
  package var lines: [String] {
    let names = Set(grid.keys).union(detail.keys).subtracting(["Ctrl-c"]).sorted()
    let lines = Self.commands.flatMap { command in
      names.flatMap { name -> [String] in
        let views = View.allCases.filter { self[$0][name] == command }
        if views.count == View.allCases.count { return ["key \(name) = \(command.name)"] }
        return views.map { "key \($0.rawValue) \(name) = \(command.name)" }
      }
    }
    // First, so that a sequence's first key is free before it is bound.
    return unboundLines + lines
  }

  /// The lines that free keys which do something in the standard map.
  private var unboundLines: [String] {
    let standard = Self.standard
    let names = Set(standard.grid.keys).union(standard.detail.keys).sorted()
    return names.flatMap { name -> [String] in
      let wanted = View.allCases.filter { standard[$0][name] != nil }
      let freed = wanted.filter { self[$0][name] == nil }
      let isFree = View.allCases.allSatisfy { self[$0][name] == nil }
      if !freed.isEmpty, isFree { return ["key \(name) = none"] }
      return freed.map { "key \($0.rawValue) \(name) = none" }
    }
  }
}
