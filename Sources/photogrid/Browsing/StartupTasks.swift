import PhotoGridCore
import PhotoLibrary

/// Tasks of the command line that wait until photos are listed.
struct StartupTasks {
  private var start: Configuration.Start?
  private var isSlideshowDue: Bool
  /// Whether photos are sorted or filtered, so that their order changes until all facts are known.
  private let isArranged: Bool
  /// The number of photos of the listing already compared with the path of `start`.
  private var searchedCount = 0
  /// Whether the first frame has been sent and the workers have been started.
  var hasDrawnFirstFrame = false

  init(_ configuration: Configuration) {
    start = configuration.view.start
    isSlideshowDue = configuration.session.slideSeconds != nil
    let view = configuration.view
    isArranged = view.order != .listed || view.grouping != .none || view.filter != nil
  }

  /// Returns the event that selects the start photo, or shows that it is missing, once its position
  /// is final.
  ///
  /// Nil before that, and after the event has been returned once.
  mutating func selectStart(in browser: Browser, paths: PathIndex) -> Event? {
    guard let start, !isArranged || browser.collection.isSettled else { return nil }
    if let index = index(of: start, in: browser, paths: paths) {
      self.start = nil
      return .jumped(to: index)
    }
    guard browser.collection.isSettled else { return nil }
    // Not selected if it is added later, because by then the user is looking at other photos.
    self.start = nil
    return .notice(Self.message(missing: start, among: browser.album.shown.count))
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
      return photo.flatMap { browser.items.firstIndex(of: browser.album.tile(of: $0)) }
    }
  }

  private static func message(missing start: Configuration.Start, among count: Int) -> String {
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    switch start {
    case .number(let number): return "--start-at \(number): out of range for \(photos)"
    case .path(let path):
      return "--start-at \(PrintableArgument.text(path)): not among the \(photos) shown"
    }
  }
}
