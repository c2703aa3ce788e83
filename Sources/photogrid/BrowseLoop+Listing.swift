import Glibc
import PhotoGridCore
import PhotoLibrary

/// What the lister tells, on its way into the store, the catalog and the browser.
extension BrowseLoop {
  mutating func take(_ event: PhotoSource.Event, at now: Instant) {
    switch event {
    case .found(let batch): catalog.take(batch, into: store)
    case .relisting(let place):
      // A folder that was gone and is listed again is back.
      if isRootLost { (loss, isRootLost) = (nil, false) }
      catalog.beginRelisting(place, in: store)
    case .relisted(let isComplete): catalog.endRelisting(isComplete: isComplete, in: store)
    case .changed(let changes): catalog.take(changes, into: store)
    case .glanced(let glance): take(glance, at: now)
    case .lost(let name): (loss, isRootLost) = ("\(name) is gone", true)
    case .finished(let notes, let problems):
      if trail.hasMoved {
        // What is wrong with another folder is no fault of the command line.
        loss = problems.first ?? loss
      } else if browser.summary == nil {
        complaints += problems
      }
      showNews(at: now)
      tell(.listed(notes), at: now)
      jumpToStart(at: now)
      landing = nil
      startSlideshow(at: now)
    case .failed(let words):
      // Without a lister what is there can still be looked at.
      guard browser.summary != nil else {
        ending = Ending(status: .nothingShown, complaints: [words])
        return
      }
      loss = "not watched any more: \(words)"
    }
    isFrameDue = true
  }

  /// Shows what the catalog has gathered, in one step.
  mutating func showNews(at now: Instant) {
    let news = catalog.takeNews()
    tellNames(of: news.renamed, at: now)
    if news.isRearranged {
      tell(.arranged(catalog.listing), at: now)
    } else if !news.appended.isEmpty {
      tell(.found(news.appended), at: now)
    }
    for photo in news.changed {
      store.reload(photo, at: now)
      inspector.finder.forget(photo)
    }
    if !news.changed.isEmpty {
      tell(.learned(news.changed.map { Learned($0, nil) }), at: now)
    }
    if !news.appended.isEmpty {
      jumpToStart(at: now)
      land(on: news.appended, at: now)
    }
  }

  /// Tells the names of photos that have none yet, or other ones than before.
  mutating func tellNames(of renamed: [Photo.ID], at now: Instant) {
    while namedCount < store.paths.count {
      let batch = store.paths.names(from: Photo.ID(namedCount), atMost: .max)
      _ = browser.handle(.named(batch), at: now)
      namedCount += batch.count
    }
    for photo in renamed {
      _ = browser.handle(.named(store.paths.names(from: photo, atMost: 1)), at: now)
    }
  }

  /// Selects what was asked for, once it has come and is in its place.
  mutating func jumpToStart(at now: Instant) {
    guard let start, !trail.hasMoved else { return }
    // Where photos are sorted, places are certain only at the end.
    let isListed = configuration.order == .listed && configuration.filter == nil
    guard isListed || browser.isSettled else { return }
    let place: Int?
    switch start {
    case .number(let number):
      let isThere = (1...max(browser.album.shown.count, 1)).contains(number)
      place = isThere && !browser.album.shown.isEmpty ? browser.folderCount + number - 1 : nil
    case .path(let path): place = self.place(of: path)
    }
    if let place {
      self.start = nil
      tell(.jumped(to: place), at: now)
    } else if browser.isSettled {
      // What comes later is not jumped to: by then one is looking at something else.
      self.start = nil
      tell(.told(Self.words(missing: start, among: browser.album.shown.count)), at: now)
    }
  }

  /// What is said of a start that is not there.
  static func words(missing start: Configuration.Start, among count: Int) -> String {
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    switch start {
    case .number(let number): return "--start-at \(number): there is no such photo among \(photos)"
    case .path(let path):
      return "--start-at \(PrintableArgument.text(path)): not among the \(photos) shown"
    }
  }

  /// Where a photo of a path, or of the end of one, is shown; what was looked through before is not
  /// looked through again.
  mutating func place(of path: [UInt8]) -> Int? {
    let end = [UInt8(ascii: "/")] + path
    let new = browser.album.listing[min(searchedCount, browser.album.listing.count)...]
    let found = new.first {
      let candidate = store.paths[$0]
      return candidate == path || candidate.suffix(end.count) == end[...]
    }
    searchedCount = browser.album.listing.count
    return found.flatMap { browser.photos.firstIndex(of: $0) }
  }
}
