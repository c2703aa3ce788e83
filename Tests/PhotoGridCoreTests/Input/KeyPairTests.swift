import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// All sequences of two keys in every mode, and which of them change files.
///
/// The documented behavior is written below as tables of modes: the keys that act on files in
/// each, and the keys that lead into another one.
struct KeyPairTests {
  init() { UTF8Locale.use() }

  /// The modes, in which keys have different meanings.
  enum Mode: String, CaseIterable, Sendable {
    case grid, marked, folder, range, detail, zoomed, slideshow, help
    case find, filter, command, rename
    // Modes that the first key leads into, and the second leaves.
    case asking, sequence, countInGrid, countOnFolder, markedOnFolder, emptyPrompt, nothingShown,
      sameName
    case unwantedName, ended, turned, turnedMarked
    case rating, ratingMarked, culling, cullingMarked, cullingFolder
  }

  /// The modes in which the pairs are typed: those that a user can stay in.
  static let modes: [Mode] = [
    .grid, .marked, .folder, .range, .detail, .zoomed, .slideshow, .help, .find, .filter, .command,
    .rename,
  ]

  static let keys: [Key] =
    (0x20...0x7E).map { Key.character(Character(UnicodeScalar($0))) }
    + "abcdefghijklmnopqrstuvwxyz".map { Key.control($0) }
    + [
      .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end,
      .pageUp, .pageDown, .function(1), .function(2), .function(5), .character("é"),
    ]

  // MARK: - Documented behavior

  /// The keys that act on files at once, in each mode; `u` undoes wherever it is listed.
  static let acts: [Mode: [String: String]] = [
    .grid: ["d": "trash 1", "u": "undo", "o": "open"],
    .range: ["d": "trash 1", "u": "undo", "o": "open"],
    .marked: ["u": "undo", "o": "open"],
    .asking: ["d": "trash 2", "y": "trash 2", "Enter": "trash 2"],
    .folder: ["u": "undo"], .markedOnFolder: ["u": "undo"],
    .nothingShown: ["u": "undo"],
    .detail: ["d": "trash 1", "u": "undo", "o": "open"],
    .zoomed: ["d": "trash 1", "u": "undo", "o": "open"],
    .turned: ["d": "trash 1", "u": "undo", "o": "open", "W": "rename"],
    .turnedMarked: ["u": "undo", "o": "open", "W": "rename"],
    .countInGrid: ["d": "trash count", "u": "undo", "o": "open"],
    .countOnFolder: ["u": "undo"],
    .rating: ratings("rate 1", "rygbpnx012345"),
    .ratingMarked: ratings("rate 2", "rygbpnx012345"),
    .culling: ratings("rate 1", "0123456789x").merging(
      ["d": "trash 1", "u": "undo", "o": "open"]) { $1 },
    .cullingMarked: ratings("rate 1", "0123456789x").merging(
      ["u": "undo", "o": "open"]) { $1 },
    .cullingFolder: ["u": "undo"],
    .command: ["Enter": "run"],
    .rename: ["Enter": "rename"],
  ]

  private static func ratings(_ words: String, _ keys: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: keys.map { (String($0), words) })
  }

  /// The keys that lead into another mode; all others stay.
  static let leads: [Mode: [String: Mode]] = [
    .grid: browsing(.countInGrid).merging(turns.merging(["d": .grid]) { $1 }) { $1 },
    .range: browsing(.countInGrid).merging(turns) { $1 }.merging(
      ["m": .marked, "Space": .marked, "v": .marked, "Esc": .grid]
        // More than one photo needs a confirmation.
        .merging(
          ["G", "End", "j", "Down", "l", "Right", "]", "u"].map { ($0, .marked) }
        ) { $1 }
    ) { $1 },
    .marked: browsing(.countInGrid).merging(
      [
        "d": .asking, "U": .grid, "Esc": .grid, "v": .range, ";": .ratingMarked,
        "C": .cullingMarked, "=": .detail,
      ].merging(turns.mapValues { _ in .turnedMarked }) { $1 }
    ) { $1 },
    .folder: browsing(.countOnFolder).merging([
      ";": .sequence, "C": .cullingFolder, "r": .folder, "M": .folder, "m": .folder,
      "Ctrl-k": .folder,
      "Space": .folder,
      "v": .folder, "Enter": .folder, "u": .grid,
      "G": .grid, "End": .grid, "j": .grid, "Down": .grid, "]": .grid,
      "Ctrl-a": .markedOnFolder, "Ctrl-r": .markedOnFolder,
    ]) { $1 },
    .detail: viewing.merging(turns) { $1 },
    .zoomed: viewing.merging(turns.merging(["Esc": .detail]) { $1 }) { $1 },
    .slideshow: Dictionary(uniqueKeysWithValues: keys.map { ($0.name, Mode.detail) })
      .merging([
        "Space": .slideshow, "q": .ended, "Ctrl-c": .ended, "g": .sequence, "y": .sequence,
        ",": .sequence, ";": .rating,
        "h": .slideshow, "l": .slideshow, "n": .slideshow, "p": .slideshow, "[": .slideshow,
        "]": .slideshow, "Left": .slideshow, "Right": .slideshow, "BackSpace": .slideshow,
      ]) { $1 },
    .help: Dictionary(uniqueKeysWithValues: keys.map { ($0.name, Mode.grid) })
      .merging(
        [
          "j", "k", "Up", "Down", "PgUp", "PgDn", "Ctrl-f", "Ctrl-b", "Ctrl-d", "Ctrl-u", "G",
          "Home", "End", "Space", "Tab", "Shift-Tab", "BackSpace", "Left", "Right", "h", "l", "n",
          "p", "g", "/", "Ctrl-l", "Ctrl-z",
        ].map { ($0, .help) } + [("Ctrl-c", .ended)]
      ) { $1 },
    .find: prompt, .filter: prompt.merging(["Enter": .nothingShown]) { $1 },
    .command: prompt.merging([
      "BackSpace": .emptyPrompt, "Ctrl-h": .emptyPrompt, "Ctrl-w": .emptyPrompt,
      "Ctrl-u": .emptyPrompt,
    ]) { $1 },
    .rename: prompt.merging([
      "BackSpace": .sameName, "Ctrl-h": .sameName, "Ctrl-u": .unwantedName, "/": .unwantedName,
    ]) { $1 },
  ]

  private static let always: [String: Mode] = [
    "q": .ended, "Q": .ended, "Ctrl-c": .ended, "g": .sequence, ",": .sequence, "y": .sequence,
    ";": .rating, "C": .culling, "s": .slideshow, "?": .help, "F1": .help, "r": .emptyPrompt,
    "M": .emptyPrompt, "!": .emptyPrompt, ":": .emptyPrompt, "Ctrl-p": .emptyPrompt,
    "Ctrl-k": .emptyPrompt,
  ]

  /// The keys of the grid; digits begin a count.
  private static func browsing(_ count: Mode) -> [String: Mode] {
    // Ctrl-c copies.
    always.filter { $0.key != "Ctrl-c" }.merging(
      [
        "/": .emptyPrompt, "f": .emptyPrompt, "m": .marked, "Space": .marked, "Ctrl-a": .marked,
        "Ctrl-r": .marked, "v": .range, "Enter": .detail, "z": .sequence,
      ].merging((1...9).map { ("\($0)", count) }) { $1 }
    ) { $1 }
  }

  private static let turns: [String: Mode] = [
    "<": .turned, ">": .turned, "|": .turned, "_": .turned,
  ]

  /// The keys of a photo on the screen; digits before a file command change nothing.
  private static let viewing = always.merging(["Enter": .grid, "Esc": .grid]) { $1 }

  private static let prompt: [String: Mode] = [
    "Enter": .grid, "Esc": .grid, "Ctrl-c": .ended,
  ]

  /// Keys that do what others do.
  private static let sameKeys = ["Delete": "d", "F2": "r"]

  /// The changes of files that a pair makes according to the tables; `Ctrl-y` redoes wherever `u`
  /// undoes.
  private static func documented(_ first: Key, _ second: Key, in start: Mode) -> [String] {
    var (mode, count) = (start, 1)
    var undoable = ["restore 1"]
    var redoable: [String] = []
    var done: [String] = []
    for key in [first, second] {
      let isRedo = key.name == "Ctrl-y" && acts[mode]?["u"] == "undo"
      if let act = isRedo ? "redo" : acts[mode]?[key.name == "Delete" ? "d" : key.name] {
        var words = act
        if act == "undo" {
          words = undoable.popLast() ?? ""
          if !words.isEmpty { redoable.append(words) }
        }
        if act == "redo" {
          words = redoable.popLast() ?? ""
          if words.hasPrefix("restore") { words = "trash" + words.dropFirst(7) }
        }
        if act == "trash count" { words = "trash \(min(count, World.photos))" }
        if words.hasPrefix("trash ") { undoable.append("restore" + words.dropFirst(5)) }
        if words == "rename" { undoable.append("rename") }
        if !words.isEmpty { done.append(words) }
      }
      count = Int(key.name) ?? 1
      let leads = leads[mode] ?? [:]
      mode = leads[key.name] ?? sameKeys[key.name].flatMap { leads[$0] } ?? mode
    }
    return done
  }

  // MARK: - Actual behavior

  /// A browser with a disk that performs file tasks at once.
  private struct World {
    static let photos = 6
    var story: Story
    var here = Set(0..<photos)
    var done: [String] = []
    var hasEnded = false

    init(_ mode: Mode) {
      story = Story(names: (0...Self.photos).map { "photo \($0).jpg" }, columns: 200, rows: 120)
      // All photos stand in one row, so that each key leads where the table says.
      story.browser.gallery.grid.style.growsToFit = false
      if mode == .folder {
        story.send(
          .named(NameBatch(first: Photo.ID(100), folder: [], names: nameBlock(["a/", "b/"]))))
        here.formUnion([100, 101])
      }
      // A trashed photo, so that every mode has something to undo.
      here.insert(Self.photos)
      story.send(.listingReplaced(order))
      press(.character("G"), .character("d"), .character("g"), .character("g"))
      switch mode {
      case .marked: type("lmlmgg")
      case .range: type("v")
      case .detail, .zoomed: press(.enter)
      case .slideshow: type("s")
      case .help: type("?")
      case .find: type("/x")
      case .filter: type("fx")
      case .command: type("!x")
      case .rename: type("rx")
      default: break
      }
      story.wait(1)
      if mode == .zoomed { type("=") }
      story.wait(1)
      done = []
    }

    private var order: [Photo.ID] {
      here.sorted { ($0 < 100 ? 1 : 0, $0) < ($1 < 100 ? 1 : 0, $1) }.map { Photo.ID($0) }
    }

    mutating func type(_ text: String) { for key in text { press(.character(key)) } }

    mutating func press(_ keys: Key...) {
      for key in keys where !hasEnded {
        story.press(key)
        while !story.effects.isEmpty { perform(story.effects.removeFirst()) }
      }
    }

    private mutating func perform(_ effect: Effect) {
      switch effect {
      case .file(let tasks): file(tasks)
      case .run: done.append("run")
      case .open: done.append("open")
      case .requestName(let photo): story.send(.nameReceived(photo, Array("photo 0.jpg".utf8)))
      case .requestNames(let photos):
        let name = Array("photo 0.jpg".utf8)
        story.send(.namesReceived(photos.map { RenamedFile($0, folder: [], name: name) }))
      case .quit, .quitPrinting, .choose, .interrupt: hasEnded = true
      case .annotate(let tasks):
        done.append("rate \(tasks.count)")
        let results = tasks.map { AnnotationResult($0, before: Rating.none, name: Array("p".utf8)) }
        story.send(.annotationsWritten(results))
      case .copyPath, .copyPicture, .suspend, .redraw, .reload, .enter, .goUp,
        .readRatings,
        .findFolders, .rememberFolder, .saveFilter, .openFolder, .bookmark, .dragOut, .identify:
        break
      }
    }

    private mutating func file(_ tasks: [FileOperation]) {
      var filed: [FileOperation] = []
      let name = Array("p".utf8)
      for task in tasks {
        switch (task.kind, task.isUndo) {
        case (.trash, false):
          for photo in task.photos { here.remove(photo.index) }
          let files = task.photos.map {
            FileStep(
              trash: Array("/trash".utf8), name: Array("\($0.index)".utf8), originalPath: [])
          }
          filed.append(task.performed(.done(files), name: name))
        case (.trash, true):
          for photo in task.photos { here.insert(photo.index) }
          filed.append(task.performed(.done([]), name: name))
        case (.rename, _), (.move, _), (.copy, _):
          let file = FileStep(from: name, to: Array("q".utf8))
          filed.append(task.performed(.done([file]), name: name))
        case (.rotation, _): filed.append(task.performed(.done([]), name: name))
        case (.recorded, _): filed.append(task.performed(.found(nil), name: []))
        }
      }
      switch tasks.first?.kind {
      case .trash: done.append("\(tasks[0].isUndo ? "restore" : "trash") \(tasks.count)")
      case .rename, .move, .copy, .rotation: done.append("rename")
      case .recorded, nil: break
      }
      story.send(.listingReplaced(order))
      story.send(.fileOperationsFinished(filed))
    }
  }

  @Test(arguments: modes)
  func `in each mode exactly the documented two-key sequences change files`(
    mode: Mode
  ) {
    let start = World(mode)
    var wrong: [String] = []
    for first in Self.keys {
      var begun = start
      begun.press(first)
      for second in Self.keys {
        var world = begun
        world.press(second)
        let documented = Self.documented(first, second, in: mode)
        if world.done != documented {
          wrong.append("\(first.name) \(second.name): \(world.done), not \(documented)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(mode.rawValue): \(wrong.count) differ: \(wrong.prefix(12))")
  }
}
