import Geometry
import Photos
import SceneModel

/// The row below the pictures: whether it is visible, and its current message.
package struct StatusBar: Equatable, Sendable {
  /// Whether the row is visible.
  package internal(set) var isVisible: Bool
  /// Whether the panel about the current item is open.
  var showsInformation = false
  /// The current message.
  private(set) var notice: Notice?

  init(isVisible: Bool) { self.isVisible = isVisible }

  /// Shows a message in place of the previous one.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - seconds: How long the message is shown, in seconds.
  ///   - now: The current time.
  ///   - isUnexpected: Whether the message appears by itself, and not in response to a key. On a
  ///     slow link or a busy machine, it takes time until such a message is drawn, so its time
  ///     counts from its first frame.
  mutating func show(
    _ text: String, for seconds: Double, at now: Instant, isUnexpected: Bool = false
  ) {
    notice = Notice(
      text: text, seconds: seconds, isUnexpected: isUnexpected, start: isUnexpected ? nil : now)
  }

  /// Starts the time of an unexpected message, whose first frame was drawn.
  mutating func didDraw(at now: Instant) {
    if notice?.start == nil { notice?.start = now }
  }

  /// Removes the message, unless it is too new to have been read.
  mutating func dismissNotice(at now: Instant) {
    if notice?.isDismissible(at: now) == true { notice = nil }
  }

  /// Removes an expired message.
  mutating func settle(at now: Instant) {
    if notice?.isOver(at: now) == true { notice = nil }
  }

  /// The time at which the message disappears; nil if there is none, or until its first frame is
  /// drawn.
  var nextChange: Instant? { notice?.end }
}

/// A message in the bar for a limited time.
struct Notice: Equatable, Sendable {
  /// The message.
  let text: String
  /// How long it is shown, in seconds.
  let seconds: Double
  /// Whether the message appears by itself, and not in response to a key.
  let isUnexpected: Bool
  /// The time from which `seconds` are counted; nil until it is known.
  ///
  /// For a response to a key, it is the time of the key; for an unexpected message, the time of the
  /// first frame that shows the message.
  var start: Instant?

  /// The time during which keys do not remove an unexpected message, in seconds.
  private static let shortest = 0.5

  /// The time at which the message disappears; nil until its first frame is drawn.
  var end: Instant? { start?.advanced(bySeconds: seconds) }

  /// Whether the message has disappeared.
  func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }

  /// Whether a key removes the message; a key that is typed before the user can have read the
  /// message does not.
  func isDismissible(at now: Instant) -> Bool {
    guard let start else { return false }
    return !isUnexpected || start.advanced(bySeconds: Self.shortest) <= now
  }
}

extension StatusBar {
  /// The description of a month or year in the bar.
  struct PeriodStatus {
    /// The name of the month or year, printable.
    var title: String
    /// The position among the months or years, and the number of photos.
    var position: [String]
  }

  /// The state that the bar and the title describe, besides the message.
  struct Content {
    /// The facts from the library.
    var facts: Bar.Facts
    /// The items, with the search and the marks.
    var collection: PhotoCollection
    /// The index of the selected item.
    var selection: Int
    /// The index of the current photo; nil if a folder or nothing is selected.
    var photoIndex: Int?
    /// The selected month or year; nil if photos are shown.
    var period: PeriodStatus?
    /// Whether the current item is a folder.
    var isFolder: Bool
    /// Whether a photo is open or compared, or flying to its tile.
    var hasViewer = false
    /// A question for the user, or the keys that may come next.
    var question: String?
    /// The prompt in which the user is typing.
    var prompt: Prompt?
    /// Whether a box above the bar says more about the prompt's text than the bar could.
    var isExplained = false
    /// The number of photos on which a shell command would be run.
    var commandPhotoCount: Int
    /// The count that the user has typed before a key.
    var count: Int?
    /// The keys that choose photos for another program; nil if that is not what the session is for.
    var choice: String?
    /// Whether the slideshow is paused; nil if there is none.
    var isSlideshowPaused: Bool?
    /// The magnification of the open photo, in percent of its pixels; nil if it is fitted to the
    /// screen.
    var percentage: Int?
    /// The rotation of the open photo, in words.
    var rotation: String?
    /// The progress of the running file operation, in words.
    var fileProgress: String?
    /// Whether the session ends as soon as all file operations are complete.
    var isLeaving: Bool
    /// The current frame of an animated photo, in words.
    var frames: String?
    /// Whether changing files is disabled.
    var isReadOnly: Bool
    /// The number of photos left to rate in culling mode, in words; nil outside of it.
    var culling: String?
    /// The numbers of the compared photos, in words; nil if none are compared.
    var comparison: String?
    /// The rating of the current photo as symbols; nil until it has been read.
    var rating: String?
  }

  // MARK: - Bar

  /// Returns the content of the bar at a moment.
  func bar(_ content: Content, at now: Instant) -> Bar {
    if let prompt = content.prompt {
      return Bar(
        left: "", right: content.isExplained ? "" : content.promptStatus(prompt),
        entry: Bar.Entry(label: prompt.label, line: prompt.line))
    }
    let answer = message(content, at: now)
    if let isPaused = content.isSlideshowPaused {
      var bar = Bar(left: answer ?? "", right: isPaused ? "paused · Space resumes" : "")
      bar.isMessage = true
      return bar
    }
    let isEmpty = content.collection.items.isEmpty
    // The panel of an empty folder says which keys work there.
    let hint = isEmpty ? nil : content.facts.hint
    let message = answer ?? content.choice.map { content.naming($0) } ?? hint
    var bar = Bar(
      left: message
        ?? (isEmpty ? content.facts.source : content.period?.title ?? content.facts.name),
      parts: content.status)
    bar.isMessage = message != nil
    if !isEmpty { bar.folder = content.facts.folder }
    return bar
  }

  /// Returns the question or the message that stands in place of the name; nil without one.
  func message(_ content: Content, at now: Instant) -> String? {
    content.question ?? notice.flatMap { $0.isOver(at: now) ? nil : $0.text }
  }

  /// Returns the window title: the path of the current item, the number of marks, and the settings
  /// that differ from the defaults.
  func title(_ content: Content) -> String {
    let facts = content.facts
    let isRoot = facts.folder.last == "/"
    let path =
      content.collection.items.isEmpty || facts.name.isEmpty
      ? facts.source : facts.folder + (isRoot || facts.folder.isEmpty ? "" : "/") + facts.name
    let count = content.collection.album.markedCount
    let marks = count == 0 ? [] : ["\(count) marked"]
    let rotation = [content.rotation].compactMap(\.self)
    let settings = content.activeSettings.map(\.text)
    let text = (["photogrid: " + path] + marks + settings + rotation).joined(separator: " · ")
    return CellText(text).truncatedTail(to: 200).string
  }
}

extension StatusBar.Content {
  private var album: Album { collection.album }

  /// The parts of the right side.
  fileprivate var status: [Bar.Part] {
    if isLeaving, let fileProgress { return [Bar.Part(fileProgress)] }
    let rating = rating.flatMap { $0.isEmpty ? nil : $0 }
    return position.map { Bar.Part($0, .essential) }
      + parts([fileProgress, comparison, culling, rating]) + parts(view) + marks
      + activeSettings + parts([reading]) + parts([facts.problem], .essential)
      + parts([facts.loading > 0 ? "loading \(facts.loading)" : nil], .minor) + file + listing
  }

  /// Returns the known texts as parts of a rank.
  private func parts(_ texts: [String?], _ rank: Bar.Part.Rank = .usual) -> [Bar.Part] {
    texts.compactMap { $0.map { Bar.Part($0, rank) } }
  }

  /// The position of the current item among the others.
  private var position: [String] {
    let typed = count.map { ["\($0)"] } ?? []
    if let period { return typed + period.position }
    if let photoIndex {
      let all = album.isFiltered ? " of \(album.photos.count)" : ""
      let more = collection.listingNotes == nil ? "…" : ""
      let number = photoIndex - collection.folderCount + 1
      return typed + ["\(number)/\(album.shown.count)\(all)\(more)"]
    }
    if selection < album.shownFilterCount { return typed + ["saved filter", photoCount] }
    if isFolder {
      let filterCount = album.shownFilterCount
      let number = selection + 1 - filterCount
      return typed + ["folder \(number) of \(collection.folderCount - filterCount)"]
        + (album.photos.isEmpty && collection.listingNotes != nil ? [] : [photoCount])
    }
    guard collection.listingNotes != nil else { return typed + ["listing…"] }
    return typed + [album.listing.isEmpty ? "no photos" : shownCount]
  }

  /// The state of the viewer: magnification and rotation.
  private var view: [String] {
    [percentage.map { "\($0)%" }, rotation].compactMap(\.self)
  }

  /// Returns a text with the name of the current item after it.
  fileprivate func naming(_ text: String) -> String {
    facts.name.isEmpty || collection.items.isEmpty ? text : text + " · " + facts.name
  }

  /// The search, the range and the marks.
  private var marks: [Bar.Part] {
    guard period == nil else { return [] }
    var texts: [String] = []
    // A search that found nothing said so when it ended.
    if let search = collection.search, !search.matches.isEmpty || !search.unknown.isEmpty {
      texts.append((search.matches.isEmpty ? "" : "match ") + matchCount(search))
    }
    if let range = collection.range(to: selection) {
      let first = max(range.lowerBound, collection.folderCount)
      texts.append("range of \(max(range.upperBound + 1 - first, 0))")
    }
    let stack = photoIndex.map { album.stackCount(of: collection.items[$0]) } ?? 1
    if stack > 1, !hasViewer { texts.append("stack of \(stack)") }
    guard !album.marks.isEmpty else { return parts(texts, .essential) }
    var marked = Bar.Part("\(album.markedCount) marked", .essential)
    let isMarked = photoIndex.map { album.marks.contains(collection.items[$0]) } ?? false
    if isMarked { marked.addition = ", this too" }
    return parts(texts, .essential) + [marked]
  }

  /// The settings that change which photos are shown, their order or what may be done to them, if
  /// they differ from the defaults.
  fileprivate var activeSettings: [Bar.Part] {
    var settings: [String] = []
    if let filter = album.filter, !filter.isEmpty {
      settings.append("filter: " + CellText(filter.text).truncatedTail(to: 30).string)
    }
    if album.showsMarkedOnly { settings.append("marked only") }
    // Photos that are grouped by date are in that order.
    let isImplied = collection.grouping.isByDate && album.order == SortOrder(by: .taken)
    if album.order != .listed, !isImplied { settings.append(album.order.label) }
    if collection.grouping != .none, collection.grouping != .similar {
      settings.append("by \(collection.grouping.rawValue)")
    }
    return parts([isReadOnly ? "read-only" : nil]) + parts(settings, .essential)
  }

  /// The facts of the current photo's file.
  private var file: [Bar.Part] {
    if let failure = facts.failure { return parts([failure], .essential) }
    guard let info = facts.info else { return [] }
    let date = photoIndex.flatMap { album.date(of: collection.items[$0]) }
    return parts(["\(Int(info.size.width))×\(Int(info.size.height))"], .minor) + parts([frames])
      + parts([ByteCount.text(Int(info.stamp.byteCount))], .minor)
      + parts([date.map { String($0.iso8601.prefix(10)) }], .essential)
      + parts([info.isIncomplete ? "incomplete" : nil])
  }

  /// The files and folders that the listing skipped, and its other notes.
  private var listing: [Bar.Part] {
    guard let notes = collection.listingNotes else { return [] }
    var texts: [String] = []
    if notes.wentDeeper { texts.append("with subfolders") }
    if !hasViewer {
      func mention(_ count: Int, _ noun: String) {
        if count > 0 { texts.append("\(count) \(noun)\(count == 1 ? "" : "s")") }
      }
      mention(notes.videos, "video")
      mention(notes.skipped, "other file")
    }
    if notes.unreadable > 0 { texts.append("\(notes.unreadable) unreadable") }
    if notes.unwatched > 0 {
      texts.append(
        "\(notes.unwatched) folder\(notes.unwatched == 1 ? "" : "s") not watched for changes")
    }
    return parts(texts, .minor)
  }

  // MARK: - Prompts and counts

  /// Returns the error in the typed line or, if there is none, its result so far.
  fileprivate func promptStatus(_ prompt: Prompt) -> String {
    let isFilter = prompt.kind == .filter || prompt.kind == .find
    if let text = prompt.hint ?? prompt.validationError { return text }
    if let note = prompt.note, !isFilter { return note }
    switch prompt.kind {
    case .find:
      return [prompt.note, collection.search.map(matchCount)].compactMap(\.self)
        .joined(separator: " · ")
    case .filter:
      let isEmpty = prompt.line.text.isEmpty
      return [prompt.note, isEmpty ? "Tab lists terms · \(photoCount)" : shownCount, reading]
        .compactMap(\.self).joined(separator: " · ")
    case .rename, .pattern: return "Enter renames"
    case .move: return prompt.folderStatus ?? "Enter moves; Tab completes"
    case .copy: return prompt.folderStatus ?? "Enter copies; Tab completes"
    case .keywords: return "Enter saves them; Tab completes"
    case .text:
      return prompt.isTemplate
        ? "Enter saves them; {n} counts, Tab lists fields" : "Enter saves it; empty removes it"
    case .date: return prompt.line.text.isEmpty ? CalendarDate.examples : "Enter goes there"
    case .command:
      let count = commandPhotoCount
      guard count > 0 else { return "runs without file names: no photo is selected" }
      let names = count == 1 ? "1 name" : "\(count) names"
      return prompt.line.text.first { $0 != " " } == "|"
        ? "Enter runs it with \(names) on standard input"
        : "Enter runs it with \(names); a leading | pipes them"
    }
  }

  /// Returns the position among the matches, such as "3/17", or "–/17" between two matches.
  private func matchCount(_ search: Search) -> String {
    guard !search.matches.isEmpty else {
      return search.unknown.isEmpty ? "no match" : "no match yet"
    }
    let rank = search.rank(of: selection)
    let isMatch = rank > 0 && search.matches[rank - 1] == selection
    return "\(isMatch ? "\(rank)" : "–")/\(search.matches.count)"
  }

  private var shownCount: String { "\(album.shown.count) of \(album.photos.count)" }

  /// The number of photos, without the folders.
  private var photoCount: String {
    if album.isFiltered { return shownCount }
    switch album.photos.count {
    case 0: return collection.listingNotes == nil ? "listing…" : "no photos"
    case 1: return "1 photo"
    case let count: return "\(count) photos"
    }
  }

  /// The progress of reading facts: "read 3 of 17".
  private var reading: String? { album.progress.map { "\($0.known) of \($0.total) read" } }
}
