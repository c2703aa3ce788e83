import PhotoGridCore
import PhotoLibrary

/// Tasks that wait until photos are listed: those of the command line, and the return to the place
/// where a folder was left.
struct StartupTasks {
  private var start: Configuration.Start?
  private var isSlideshowDue: Bool
  /// Whether the folder opens where it was left, which is said once.
  private var isResuming: Bool
  /// The number of photos of the listing already compared with the path of `start`.
  private var searchedCount = 0
  /// Whether the first frame has been sent and the workers have been started.
  var hasDrawnFirstFrame = false

  /// Whether the photo to start with has not been found yet.
  var isPending: Bool { start != nil }

  init(_ configuration: Configuration) {
    start = configuration.view.start
    isResuming = configuration.isResumed
    isSlideshowDue = configuration.session.slideSeconds != nil
  }

  /// Opens a folder that has been entered where it was left; nil for its first photo.
  mutating func resume(at path: [UInt8]?) {
    (start, isResuming, searchedCount) = (path.map { .path($0) }, path != nil, 0)
  }

  /// Returns the events that select the start photo, or show that it is missing, once its position
  /// is final.
  ///
  /// None before that, and after they have been returned once.
  mutating func selectStart(in browser: Browser, paths: PathIndex) -> [Event] {
    guard start != nil || isResuming, !isArranged(browser) || browser.collection.isSettled else {
      return []
    }
    if isResuming, browser.grid.hasUserInteracted {
      // The user is looking at other photos.
      (start, isResuming) = (nil, false)
      return []
    }
    let found = start.map { index(of: $0, in: browser, paths: paths) }
    if case nil? = found, !browser.collection.isSettled { return [] }
    defer { (start, isResuming) = (nil, false) }
    switch (start, found) {
    case (let start?, nil?):
      // Not selected if it is added later, because by then the user is looking at other photos.
      return [.notice(message(missing: start, among: browser.album.shown.count))]
    case (_, let index??):
      return [.jumped(to: index)] + (isResuming ? [.notice(message(resumingIn: browser))] : [])
    default: return [.notice(message(resumingIn: browser))]
    }
  }

  /// Whether photos are sorted or filtered, so that their order changes until all facts are known.
  private func isArranged(_ browser: Browser) -> Bool {
    browser.album.order != .listed || browser.collection.grouping != .none
      || browser.album.filter != nil
  }

  /// Returns the event that starts the slideshow, once, when the order of photos is final.
  mutating func beginSlideshow(in browser: Browser) -> Event? {
    guard isSlideshowDue, browser.collection.isSettled else { return nil }
    isSlideshowDue = false
    return .slideshowRequested
  }

  /// Returns the index of the tile to select; nil if it is missing.
  private mutating func index(
    of start: Configuration.Start, in browser: Browser, paths: PathIndex
  ) -> Int? {
    switch start {
    case .number(let number):
      let isThere = number >= 1 && number <= browser.album.shown.count
      return isThere ? browser.folderCount + number - 1 : nil
    case .path(let path):
      let end = [UInt8(ascii: "/")] + path
      // Only photos that have not been compared before: this is called for each batch of photos.
      let new = browser.album.listing[min(searchedCount, browser.album.listing.count)...]
      searchedCount = browser.album.listing.count
      let photo = new.first {
        let candidate = paths[$0]
        return candidate == path || candidate.suffix(end.count) == end[...]
      }
      if path.last == end[0] {
        return browser.items[..<browser.folderCount].firstIndex { paths[$0] == path }
      }
      return photo.flatMap { browser.items.firstIndex(of: browser.album.tile(of: $0)) }
    }
  }

  private func message(missing start: Configuration.Start, among count: Int) -> String {
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    switch start {
    case .number(let number): return "--start-at \(number): out of range for \(photos)"
    case .path(let path) where isResuming:
      return "'\(PhotoName.printable(path))', where you left, is not among the \(photos) shown"
    case .path(let path):
      return "--start-at \(PrintableArgument.text(path)): not among the \(photos) shown"
    }
  }

  private func message(resumingIn browser: Browser) -> String {
    let keys = browser.options.keys
    var parts = ["Arranged as you left it"]
    if case .path(let path)? = start {
      let key = keys.key(of: .navigation(.first), in: .grid)
      parts = ["Back at '\(PhotoName.printable(path))'"]
      parts += key.map { ["\($0) goes to the first photo"] } ?? []
    }
    if browser.collection.grouping != .none,
      let key = keys.key(of: .album(.group(.none)), in: .grid)
    {
      parts.append("\(key) ungroups")
    }
    return parts.joined(separator: " · ")
  }
}
