import Geometry
import Glibc
import PhotoGridCore
import PhotoLibrary
import Photos
import SceneModel
import TerminalIO
import WorkerProtocol

/// Receiving the events of all services, and sending them to the browser.
extension RunLoop {
  /// Reads and handles the messages of all services.
  mutating func service(at now: Instant) {
    let signals = display.service(at: now)
    for signal in signals { passOn(signal, at: now) }
    followVisibility(at: now)
    let isKeyWaiting = !signals.isEmpty || !display.input.isEmpty
    if signals.isEmpty { handleInput(at: now) }
    if display.updateCapabilities(lastCell: browser.viewport.metrics.cell) {
      adaptToRenderer(at: now)
    }
    if nextChange.map({ $0 <= now }) ?? false { send(.tick, at: now) }
    let today = CalendarDate(localSeconds: Int64(Glibc.time(nil)))
    if let today, today != browser.album.dating.today { send(.dayBegan(today), at: now) }
    library.receive(services.fileOperations.service(at: now))
    if let percent = services.fileOperations.percent, percent != browser.files.copiedPercentage {
      send(.filesCopied(percent), at: now)
    }
    followLongWork(at: now)
    for arrival in services.library.service(at: now) {
      switch arrival {
      case .folders(let matches): send(.foldersFound(matches), at: now)
      case .digests(let digests): send(.digestsUpdated(digests), at: now)
      }
    }
    serviceLibrary(at: now, isKeyWaiting: isKeyWaiting)
    // After what the library says of the operation.
    if !browser.files.isChanging, let reason = services.fileOperations.takeHistoryFault() {
      send(.notice("Undo works only until you quit: \(reason)"), at: now)
    }
    for message in services.opener.service(at: now) { send(.notice(message), at: now) }
    updateProblem(at: now)
    for event in services.store.service(at: now) { passOn(event, at: now) }
    passOn(services.facts.service(at: now), at: now)
    for report in services.annotations.service(at: now) { passOn(report, at: now) }
    services.recorder?.advance(at: now)
    showHints(at: now)
    sendPreparedPictures(at: now)
    for arrival in services.side.service(at: now) {
      switch arrival {
      case .file(let id, let file): display.renderer.receive(file: file, of: id)
      case .exported(let photo, let file): copy(photo, file, at: now)
      case .metadata: break
      }
      display.isFrameDue = true
    }
    serviceClipboard(at: now)
    for message in services.drags.service(at: now) { send(.notice(message), at: now) }
    display.terminal.send(services.drags.takePackets())
  }

  /// Tells the terminal of the progress of operations on files, and of their end.
  private mutating func followLongWork(at now: Instant) {
    let (shown, hasEnded) = longWork.follow(browser.files.percentage, at: now)
    display.terminal.progress = shown
    guard hasEnded else { return }
    display.terminal.notify(PrintableText.from((browser.notice ?? "The files are done").utf8))
  }

  private mutating func serviceClipboard(at now: Instant) {
    if display.terminal.hasSentAll {
      for packet in services.clipboard.packets(at: now) { display.terminal.send(packet) }
    }
    for message in services.clipboard.service(at: now) { send(.notice(message), at: now) }
  }

  /// Handles the messages of the library, unless input has arrived, whose effect is drawn first.
  ///
  /// The CPU time that this takes determines how much is read in the next turn of the loop.
  private mutating func serviceLibrary(at now: Instant, isKeyWaiting: Bool) {
    // Postponed at most every second turn, so that continuous input does not stop a listing.
    hasPostponedLibrary = isKeyWaiting && !hasPostponedLibrary
    guard !hasPostponedLibrary else { return }
    let start = ProcessorClock.seconds
    for outcome in library.service(at: now) { passOn(outcome, at: now) }
    library.source.recordTurn(seconds: ProcessorClock.seconds - start, at: MonotonicClock.now)
  }

  /// The time for input in a turn of the loop, in seconds: most of a frame's time.
  private static let inputTime = 0.012

  /// The number of ratings that wait to be written from which a flood of keys waits, too: it may rate
  /// photos faster than any disk takes it.
  private static let maxWaitingRatings = 1000

  /// Handles the input that waits, as much of it as can be handled before the next frame is due.
  private mutating func handleInput(at now: Instant) {
    display.holdsInput =
      display.input.isFlood && services.annotations.waitingCount > Self.maxWaitingRatings
    guard !display.input.isEmpty, !display.holdsInput else { return }
    let end = now.advanced(bySeconds: Self.inputTime)
    repeat {
      guard let event = display.input.next() else { break }
      passOn(event, at: now)
    } while ending == nil && MonotonicClock.now < end
    display.isFrameDue = true
    setDemands(at: now)
  }

  private mutating func passOn(_ signal: SignalEvent, at now: Instant) {
    switch signal {
    case .resized, .continued:
      // The terminal session clears the screen, even if the size has not changed.
      display.renderer.invalidate()
      resize(at: now)
    case .terminate(let number): ending = Ending(status: .signal(number))
    case .suspend: perform(.suspend, at: now)
    }
  }

  private mutating func passOn(_ input: InputEvent, at now: Instant) {
    switch input {
    // In raw mode the terminal does not send the signal that ends programs at Ctrl-\.
    case .key(.control("\\")): ending = Ending(status: .signal(SIGQUIT))
    case .key(let key):
      narrator.followsKey = true
      handle(.key(key), at: now)
    case .mouse(let mouse):
      if mouse.isPress { services.drags.endDrag() }
      if !isOnInformation(mouse, at: now) { handle(.mouse(mouse), at: now) }
    case .focusGained:
      longWork.hasFocus = true
      handle(.focusGained, at: now)
    case .focusLost:
      longWork.hasFocus = false
      handle(.focusLost, at: now)
    case .paste(let bytes): handle(.pasted(String(decoding: bytes, as: UTF8.self)), at: now)
    case .reply(let reply) where reply.kind == .application:
      display.renderer.handle(graphicsReply: reply.body)
      display.isFrameDue = true
      fallBackToCells(at: now)
    case .reply(let reply):
      if let status = ClipboardPacket.status(in: reply) {
        services.clipboard.receive(status: status, at: now)
      } else if let report = DragReport(reply) {
        passOn(report, at: now)
      }
    case .disconnected: ending = Ending(status: .signal(SIGHUP))
    }
  }

  private mutating func passOn(_ report: DragReport, at now: Instant) {
    let takesDrops = library.location.folder != nil && !configuration.session.isReadOnly
    switch services.drags.handle(report, takesDrops: takesDrops, at: now) {
    case .offered: handle(.dragOffered, at: now)
    case .dropped(let files, let cell):
      let position = browser.viewport.metrics.center(of: cell)
      handle(.dropped(files, in: folder(typed: ""), at: position), at: now)
    case .failed(let message): handle(.notice(message), at: now)
    case nil: break
    }
  }

  /// Returns whether a mouse button was pressed on the panel about a photo or folder, so that the
  /// photos behind it are not clicked.
  private func isOnInformation(_ mouse: MouseEvent, at now: Instant) -> Bool {
    guard browser.inspectedPhoto != nil || browser.inspectedFolder != nil,
      browser.panel(at: clock.time(at: now)) == nil
    else { return false }
    return display.isOnPanel(mouse, cell: browser.viewport.metrics.cell)
  }

  mutating func passOn(_ outcome: LibraryController.Outcome, at now: Instant) {
    switch outcome {
    case .event(let event):
      if case .moved = event { (savedFilters.hasTiles, places.hasShownFolder) = (false, false) }
      send(event, at: now)
    case .names(let batch): handle(.named(batch), at: now)
    case .message(let message, let tile): services.store.setMessage(message, of: tile)
    case .changed(let photos):
      for photo in photos { services.reload(photo, at: now) }
      services.annotations.reload(photos, at: now)
    case .annotated(let photos):
      services.annotations.reload(photos, at: now)
      for photo in photos { services.reloadMetadata(of: photo, at: now) }
      send(.sidecarsChanged(photos), at: now)
    case .added: selectStart(at: now)
    case .listed:
      selectStart(at: now)
      beginSlideshow(at: now)
    case .problems(let problems): if !configuration.isQuiet { messages += problems }
    case .failed(let reasons): ending = Ending(status: .nothingShown, messages: reasons)
    }
  }

  private mutating func passOn(_ event: StoreEvent, at now: Instant) {
    display.isFrameDue = true
    let store = services.store
    switch event {
    case .described(let photo):
      guard let info = store.info(of: photo) else { break }
      send(.filesRead([photo], InfoBlock([info])), at: now)
      beginSlideshow(at: now)
    case .framesChanged(let photo):
      if let frames = store.decodedFrames(of: photo) {
        send(.framesUpdated(photo, frames), at: now)
      }
    case .filmFailed(let photo, let reason):
      if reason == FailureReason.needsFFmpeg.message {
        noteMissingFFmpeg(at: now)
      } else if store.failure(of: photo) == nil {
        send(.notice("The video stops: \(reason)"), at: now)
      }
    case .hashed(let photo, let info): passOn(hashOf: photo, info, at: now)
    case .failed(let photo):
      if store.failure(of: photo) == FailureReason.needsFFmpeg.message {
        noteMissingFFmpeg(at: now)
      }
      if !browser.collection.missingHashes.isEmpty {
        send(.hashesUpdated([HashUpdate(photo, nil)]), at: now)
      }
    case .pictureReady, .thumbnailCached, .waitingForDisk: break
    case .unusable(let error):
      ending = Ending(status: .nothingShown, messages: [error.message])
    }
  }

  private mutating func noteMissingFFmpeg(at now: Instant) {
    guard !hasMissedFFmpeg else { return }
    hasMissedFFmpeg = true
    send(.notice("Install the ffmpeg package to view videos"), at: now)
  }

  /// Passes on the hash of a photo, and records it if it is new.
  private mutating func passOn(hashOf photo: Photo.ID, _ info: PhotoInfo, at now: Instant) {
    guard browser.album.isNew(info.hash, of: photo) else { return }
    services.recorder?.record(hashOf: info, ofFileAt: library.index[photo], at: now)
    send(.hashesUpdated([HashUpdate(photo, info.hash)]), at: now)
  }

  private mutating func passOn(_ batches: [FactBatch], at now: Instant) {
    guard !batches.isEmpty else { return }
    for batch in batches {
      services.recorder?.record(batch, of: library.index, at: now)
      send(.filesRead(batch.photos, batch.facts), at: now)
    }
    selectStart(at: now)
    beginSlideshow(at: now)
  }

  private mutating func passOn(_ report: AnnotationClient.Report, at now: Instant) {
    for reading in report.readings + report.written where reading.stamp != 0 {
      services.recorder?.record(
        reading.rating, stamp: reading.stamp, ofFileAt: library.index[reading.photo], at: now)
    }
    if !report.results.isEmpty { send(.annotationsWritten(report.results), at: now) }
    if !report.readings.isEmpty {
      send(
        .ratingsUpdated(report.readings.map { RatingUpdate($0.photo, $0.rating) }), at: now)
    }
  }

  // MARK: - Consequences of events

  private mutating func selectStart(at now: Instant) {
    for event in startup.selectStart(in: browser, paths: library.index) { send(event, at: now) }
  }

  private mutating func beginSlideshow(at now: Instant) {
    if let event = startup.beginSlideshow(in: browser) { send(event, at: now) }
  }

  /// Sends an event to the browser for each picture that the slideshow waits for and that is ready
  /// or cannot be shown.
  mutating func sendPreparedPictures(at now: Instant) {
    let store = services.store
    // Repeated, because after a picture that cannot be shown the slideshow waits for another one.
    while true {
      let events = browser.awaitedPictures.compactMap { demand -> Event? in
        if store.failure(of: demand.photo) != nil {
          return .prepared(demand.photo, isShown: false)
        }
        return store.isFulfilled(demand) ? .prepared(demand.photo, isShown: true) : nil
      }
      guard !events.isEmpty else { return }
      for event in events { send(event, at: now) }
    }
  }

  /// Updates the message about a problem with the folder.
  private mutating func updateProblem(at now: Instant) {
    let message = library.problemMessage(at: now)
    if message != chrome.problem { display.isFrameDue = true }
    chrome.problem = message
  }
}
