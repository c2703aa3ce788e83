@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport

/// A folder of thirty photos, one taken in each month from January 2018 on, and a program that answers at
/// once; all keys must be shown somewhere.
struct Evening {
  var story: Story
  /// What the browser asked for, without the requests that were answered.
  var effects: [Effect] = []
  /// Whether a photo has been open.
  var hasOpened = false

  static let names = (0..<30).map { number in
    switch number {
    case 1: "rome 1.jpg"
    case 2: "screenshot 2.png"
    case 4: "img 4.CR2"
    case 5: "img 5.NEF"
    case film.index: "clip 6.mp4"
    case 7: "clip 7.mp4"
    default: "img \(number).jpg"
    }
  }
  static let film = Photo.ID(6)
  /// The tile of a saved filter.
  static let saved = Photo.ID(500)
  static let timing = FilmTiming(length: 90, frameRate: 25)

  init() {
    story = Story(names: Self.names, facts: Self.names.indices.map { Self.info($0) })
    let stars = [3: 4, 8: 5, 9: 3]
    story.send(
      .ratingsUpdated(
        Self.names.indices.map { RatingUpdate(Photo.ID($0), Rating(stars: stars[$0] ?? 0)) }))
    // 20 and 21 look the same.
    story.send(
      .hashesUpdated(
        Self.names.indices.map { number in
          let bits = UInt64(number == 21 ? 20 : number) &* 0x9E37_79B9_7F4A_7C15
          return HashUpdate(Photo.ID(number), DifferenceHash(bits: bits))
        }))
    var places = Places()
    for folder in ["~/Photos/Rome", "~/Photos"] { places.visit(folder) }
    story.send(.placesChanged(places))
    story.wait(1)
    story.effects = []
  }

  private static func info(_ number: Int) -> PhotoInfo {
    let date = CalendarDate(year: 2018 + number / 12, month: number % 12 + 1, day: 14)
    // Photos 25 to 27 are a burst.
    let taken = (25...27).contains(number) ? "2020-02-14" : date.iso8601
    let isRaw = number == 4 || number == 5
    let isFilm = number == film.index || number == 7
    var info = PhotoInfo.made(
      4000, 3000, isRaw ? .raw : isFilm ? .film : .jpeg, bytes: 1000 + number * 37 % 30,
      taken: taken + "T10:00:00")
    info.metadata = PhotoMetadata()
    info.metadata?.camera = number == 3 ? "Canon EOS R5" : "Fujifilm X-T4"
    if isFilm { (info.length, info.frameRate) = (number == 7 ? 20 : timing.length, 25) }
    info.holdsFilm = number == 8
    return info
  }

  /// The file operations that were started.
  var operations: [FileOperation] {
    effects.flatMap { effect -> [FileOperation] in
      if case .file(let operations) = effect { operations } else { [] }
    }
  }

  var browser: Browser { story.browser }

  mutating func press(_ key: Key) {
    story.send(.key(key))
    settle()
  }

  mutating func click(_ point: PixelPoint) {
    story.click(point)
    settle()
  }

  private mutating func settle() {
    for effect in story.effects {
      switch effect {
      case .requestName(let photo):
        story.send(.nameReceived(photo, Array(Self.names[photo.index].utf8)))
      case .requestNames(let photos):
        story.send(
          .namesReceived(
            photos.map { RenamedFile($0, folder: [], name: Array(Self.names[$0.index].utf8)) }))
      case .findFolders(let text):
        let isThere = ["best", "raw"].contains(text)
        story.send(.foldersFound(FolderMatches(text: text, names: [], isFolder: isThere)))
      case .file(let operations):
        effects.append(effect)
        story.send(.fileOperationsFinished(operations.map { $0.performed(.done([]), name: []) }))
      default: effects.append(effect)
      }
    }
    story.effects = []
    hasOpened = hasOpened || browser.viewer != nil
    story.wait(1)
  }

  // MARK: - What the screen shows

  /// Whether the bar, the list of commands, or the help shows a key, a gesture, or a number before a key.
  func shows(_ stroke: String, before next: String?) -> Bool {
    let bar = story.bar
    if browser.modal != nil { return bar.right.contains(stroke) || bar.left.contains(stroke) }
    if browser.keyboard.awaitsStars { return bar.left.contains("1 to 5") }
    if bar.left.split(separator: " ").contains(stroke[...]) { return true }
    let help = HelpLayout(
      keys: browser.options.keys, view: browser.keyView, room: CellSize(columns: 100, rows: 31)
    ).pages(matching: nil).flatMap(\.lines)
    if Int(stroke) != nil, browser.keyboard.culling == nil {
      // "20G goes to the 20th" shows how numbers are used.
      return help.contains { line in
        line.text.matches(of: /\d+(\S+)/).contains { String($0.1) == next }
      }
    }
    return isListed(stroke) || isInHelp(stroke, help)
  }

  /// Whether the list of commands has a key, with a command that can run.
  private func isListed(_ stroke: String) -> Bool {
    var browser = browser
    _ = browser.handle(.key(.character(":")), at: story.now)
    return browser.palette?.matches.contains { $0.keys == stroke && $0.obstacle == nil } ?? false
  }

  /// Whether the help has a line with a key that works on this screen.
  private func isInHelp(_ stroke: String, _ help: [HelpLayout.Line]) -> Bool {
    let command = browser.options.keys[browser.keyView][stroke]
    let lines = KeyTable.topics.flatMap(\.sections).flatMap(\.lines).filter {
      $0.views.contains(browser.keyView)
    }
    return lines.contains { line in
      if let gesture = line.gesture {
        // The keys of culling mode: "0 to 5".
        let ends = gesture.split(separator: " to ").map(String.init)
        let isCulling = browser.keyboard.culling != nil
        return gesture == stroke && (stroke == "Click" || isCulling)
          || isCulling && ends.count == 2 && ends[0] <= stroke && stroke <= ends[1]
      }
      guard line.entries.contains(where: { $0.command == command }) else { return false }
      return help.contains { row in
        let text = row.text.dropFirst(row.strong).drop { $0 == " " }
        return row.text.prefix(row.strong).split(separator: " ").contains(stroke[...])
          && !text.isEmpty && line.text.hasPrefix(text)
      }
    }
  }
}
