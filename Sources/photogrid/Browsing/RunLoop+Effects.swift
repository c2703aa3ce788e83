import Geometry
import Glibc
import PhotoGridCore
import PhotoLibrary
import Photos
import TerminalIO
import WorkerProtocol

/// Performing the browser's effects, which happens nowhere else.
extension RunLoop {
  mutating func perform(_ effect: Effect, at now: Instant) {
    switch effect {
    case .quit where waitsForFiles, .quitPrinting where waitsForFiles, .choose where waitsForFiles:
      leaving = effect
      send(.leaving, at: now)
    case .quit:
      end(printing: configuration.printsMarks ? browser.album.markedInOrder : [])
    case .quitPrinting(let tile): end(printing: [tile])
    case .choose(let photos): end(printing: photos)
    case .interrupt: ending = Ending(status: .signal(SIGINT))
    case .suspend:
      display.suspend()
      narrator.last = nil
      resize(at: MonotonicClock.now)
    case .run(let command):
      let names = command.photos.map { library.index[$0] }
      display.run(ShellRun(command, names: names, separator: configuration.input.separator))
      narrator.last = nil
      resize(at: MonotonicClock.now)
    case .file(let operations): request(operations, at: now)
    case .dragOut(let photos, let shown): dragOut(photos, showing: shown, at: now)
    case .identify(let groups, let folder): identify(groups, for: folder, at: now)
    case .annotate(let tasks): services.annotations.write(tasks, at: now)
    case .readRatings(let photos): services.annotations.reload(photos, at: now)
    case .requestName(let photo):
      send(.nameReceived(photo, Array(library.index.table.name(of: photo))), at: now)
    case .requestNames(let photos): send(.namesReceived(photos.map { file(of: $0) }), at: now)
    case .findFolders(let text):
      services.library.findFolders(folder(typed: text), for: text, at: now)
    case .rememberFolder(let text): recentFolders?.remember(text)
    case .openFolder(let text):
      let path = folder(typed: text)
      leaveFolder(at: now) { $0.go(to: path) }
    case .bookmark(let folder, let isOn): places.change { $0.setBookmark(folder, isOn) }
    case .saveFilter(let filter): send(.notice(save(filter)), at: now)
    case .copyPath(let item, let quitsNext):
      send(.notice(copyPath(of: item, quitsNext: quitsNext)), at: now)
    case .copyPicture(let photo):
      services.side.export(photo, at: now)
      send(.notice("Copying the picture"), at: now)
    case .open(let photo): send(.notice(open(photo)), at: now)
    case .redraw:
      display.redraw()
      narrator.last = nil
    case .reload: reload(at: MonotonicClock.now)
    case .enter(let folder): leaveFolder(at: now) { $0.enter(folder) }
    case .goUp: leaveFolder(at: now) { $0.goUp() }
    }
  }

  /// Records where the folder is left, and goes to another one.
  private mutating func leaveFolder(
    at now: Instant, _ go: (inout LibraryController) -> [LibraryController.Outcome]
  ) {
    recordResumption()
    let left = library.location.id
    for outcome in go(&library) { passOn(outcome, at: now) }
    if library.location.id != left { startup.resume(at: itemLeftEarlier) }
  }

  private func file(of photo: Photo.ID) -> RenamedFile {
    let paths = library.index.table
    return RenamedFile(photo, folder: paths.folder(of: photo), name: Array(paths.name(of: photo)))
  }

  /// Ends the session and prints paths.
  private mutating func end(printing tiles: [Photo.ID]) {
    ending = Ending(
      status: .done,
      printed: tiles.map { tile in
        let path = library.index[tile]
        // A folder's path ends with a slash, but is printed without it.
        return browser.album.isFolder(tile) && path.count > 1 ? Array(path.dropLast()) : path
      })
  }

  private mutating func reload(at now: Instant) {
    library.reload(at: now)
    services.store.forgetFailures()
    for photo in Set(browser.demands.map(\.photo)) { services.reload(photo, at: now) }
  }

  private mutating func save(_ filter: NamedFilter) -> String {
    var filter = filter
    filter.folder = shownFolder
    do throws(OptionError) {
      guard let file = FilterFile() else { return "Not saved: no configuration folder" }
      try file.save(filter)
      savedFilters.save(filter)
      return "Saved; photogrid @\(filter.name) shows these photos again"
    } catch {
      return "Not saved: \(error.message)"
    }
  }

  // MARK: - Files

  /// Whether quitting waits for file operations; false when the user quits a second time.
  private var waitsForFiles: Bool { leaving == nil && browser.files.isChanging }

  /// Requests file operations on the current paths of the photos.
  private mutating func request(_ operations: [FileOperation], at now: Instant) {
    library.beginFileOperations(operations.count)
    let here = library.location.folder.map { _ in folder(typed: "") } ?? []
    let located = operations.map { operation in
      var operation = operation.located { library.index[$0] }
      if let typed = operation.destination?.folder {
        // An absolute path may be any bytes.
        operation.destination?.path =
          typed.first == UInt8(ascii: "/")
          ? typed : folder(typed: String(decoding: typed, as: UTF8.self))
      }
      return operation
    }
    services.fileOperations.request(located, trash: BaseDirectory.trash, here: here, at: now)
  }

  /// Gives identities to files that another program dropped, as far as there is room.
  private mutating func identify(
    _ groups: [[[UInt8]]], for folder: FileDestination, at now: Instant
  ) {
    let known = groups.map { paths in
      let first = library.index.count
      library.index.append(paths)
      return (first..<library.index.count).map { Photo.ID($0) }
    }
    for outcome in library.names() { passOn(outcome, at: now) }
    send(.identified(known.filter { !$0.isEmpty }, folder), at: now)
  }

  private mutating func dragOut(
    _ photos: [Photo.ID], showing shown: Photo.ID, at now: Instant
  ) {
    let side = DragExchange.pictureSide
    var picture: Bitmap?
    if case .picture(let mipmap) = services.store.content(
      of: shown, covering: PixelSize(width: side, height: side))
    {
      picture = mipmap.levels.first { max($0.size.width, $0.size.height) <= side }?
        .turned(browser.collection.orientation(of: shown))
    }
    let fault = services.drags.begin(
      photos.map { AbsolutePath.of(library.index[$0]) }, picture: picture,
      allowsMove: !configuration.session.isReadOnly)
    if let fault { send(.notice(fault), at: now) }
  }

  /// Returns the absolute path of a folder that the user typed.
  func folder(typed text: String) -> [UInt8] {
    let home = display.capabilities.environment.variables["HOME"]
    return library.location.path(typed: text, home: home)
  }

  /// Cancels the file operations that have not started, and waits briefly for the others.
  ///
  /// - Returns: A report for standard error about the files that were moved and the files that were
  ///   not; empty if there is nothing to report.
  func giveUpFiles() -> [String] {
    guard browser.files.isChanging else { return [] }
    let isHurried = if case .signal(let number) = ending?.status { number != SIGINT } else { false }
    // Whoever quits may unplug the disk next; a session that is hung up finishes what it began.
    let rest = services.fileOperations.stop(within: isHurried ? 0.1 : 0.5, kills: !isHurried) {
      MonotonicClock.now
    }
    let paths = library.index.table
    let report = browser.files.unfinishedReport(
      library.fileResults + rest.results, open: rest.open, goesOn: rest.goesOn,
      interrupted: rest.interrupted
    ) {
      Array(paths.name(of: $0))
    }
    let fault = services.fileOperations.takeHistoryFault()
    return report + (fault.map { ["cannot be undone: \($0)"] } ?? [])
  }

  // MARK: - Other programs

  private func copyPath(of item: Photo.ID, quitsNext: Bool) -> String {
    // Terminals ignore longer texts.
    let longest = 64 << 10
    var path = AbsolutePath.of(library.index[item])
    // A folder's path ends with a slash.
    if path.last == UInt8(ascii: "/"), path.count > 1 { path.removeLast() }
    guard path.count <= longest else {
      return "The path is too long to copy: \(path.count) bytes"
    }
    display.terminal.copy(path)
    // The terminal does not report whether it lets programs set the clipboard.
    let isTmux = !display.capabilities.environment["TMUX"].isEmpty
    let message = "Copied \(PrintableText.from(path))"
    return message + (isTmux ? " (tmux needs set-clipboard on)" : "")
      + (quitsNext ? " · Ctrl-c again quits" : "")
  }

  /// Copies the file of a photo that was read for that.
  mutating func copy(
    _ photo: Photo.ID, _ file: Result<[UInt8], FailureReason>, at now: Instant
  ) {
    let name = PhotoName.printable(library.index[photo])
    switch file {
    case .success(let bytes):
      services.clipboard.copy(
        PictureClipboard.Picture(file: bytes, name: name),
        usesTerminal: display.capabilities.takesPicturesForClipboard, at: now)
    case .failure(let reason):
      send(.notice("'\(name)' cannot be copied: \(reason.message)"), at: now)
    }
  }

  private mutating func open(_ photo: Photo.ID) -> String {
    guard configuration.session.openWith != nil || hasDesktop else {
      return "No program to open it with. Choose one with --open-with COMMAND."
    }
    let path = library.index[photo]
    let start = services.opener.start(configuration.session.openWith, with: path)
    return start.failure ?? "Opening \(PhotoName.printable(path)) with \(start.name)"
  }

  private var hasDesktop: Bool {
    let environment = display.capabilities.environment
    return ["DISPLAY", "WAYLAND_DISPLAY"].contains { !environment[$0].isEmpty }
  }
}
