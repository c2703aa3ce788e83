import PhotoGridCore
import PhotoLibrary

/// What the command line asks for at the start, and has to wait for photos.
struct StartupTasks {
  /// The photo to select first.
  private var start: Configuration.Start?
  /// Whether a slideshow is to begin.
  private var isSlideshowDue: Bool
  /// Whether photos are sorted or filtered, so that their places change until all facts are known.
  private let isArranged: Bool
  /// How many photos of the listing were compared with the start's path.
  private var searchedCount = 0
  /// Whether the terminal was asked, and the workers started.
  var hasDrawnFirstFrame = false

  /// The tasks that a configuration names.
  init(_ configuration: Configuration) {
    start = configuration.view.start
    isSlideshowDue = configuration.session.slideSeconds != nil
    isArranged = configuration.view.order != .listed || configuration.view.filter != nil
  }

  /// The event that selects the start once it has its place, or says that it is missing; nil if
  /// that is not known yet, or was returned before.
  mutating func selectStart(in browser: Browser, paths: PathIndex) -> Event? {
    guard let start, !isArranged || browser.collection.isSettled else { return nil }
    if let place = place(of: start, in: browser, paths: paths) {
      self.start = nil
      return .jumped(to: place)
    }
    guard browser.collection.isSettled else { return nil }
    // A photo that appears later is not selected: by then the user looks at something else.
    self.start = nil
    return .told(Self.message(missing: start, among: browser.album.shown.count))
  }

  /// The event that begins the slideshow, once all photos have their places.
  mutating func beginSlideshow(in browser: Browser) -> Event? {
    guard isSlideshowDue, browser.collection.isSettled else { return nil }
    isSlideshowDue = false
    return .slideshowAsked
  }

  private mutating func place(
    of start: Configuration.Start, in browser: Browser, paths: PathIndex
  ) -> Int? {
    switch start {
    case .number(let number):
      let isThere = number >= 1 && number <= browser.album.shown.count
      return isThere ? browser.folderCount + number - 1 : nil
    case .path(let path):
      let end = [UInt8(ascii: "/")] + path
      // Photos that were compared before are not compared again.
      let new = browser.album.listing[min(searchedCount, browser.album.listing.count)...]
      searchedCount = browser.album.listing.count
      let photo = new.first {
        let candidate = paths[$0]
        return candidate == path || candidate.suffix(end.count) == end[...]
      }
      return photo.flatMap { browser.photos.firstIndex(of: $0) }
    }
  }

  private static func message(missing start: Configuration.Start, among count: Int) -> String {
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    switch start {
    case .number(let number): return "--start-at \(number): there is no such photo among \(photos)"
    case .path(let path):
      return "--start-at \(PrintableArgument.text(path)): not among the \(photos) shown"
    }
  }
}
