import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO
import WorkerProtocol

/// What is done to the photos' files, and what is done with them elsewhere.
extension BrowseLoop {
  /// No path is copied that is longer, in bytes: terminals take so much at once.
  private static let longestCopied = 64 << 10

  /// Does what an effect asks for that has to do with photos' files.
  mutating func carryOutForFiles(_ effect: Effect, at now: Instant) {
    switch effect {
    case .file(let tasks): file(tasks, at: now)
    case .tellName(let photo):
      tell(.nameTold(photo, Array(store.index.table.name(of: photo))), at: now)
    case .copyPath(let photo): copyPath(of: photo, at: now)
    case .open(let photo): open(photo, at: now)
    default: break  // the others are about other things
    }
  }

  /// Leaves the rest to the process that moves files, and has it told that there is one.
  mutating func letGoOfKeeper() {
    keeper.shutDown()
    guard keeper.openCount > 0 else { return }
    complaints.append("files: \(keeper.openCount) are still being moved")
  }

  /// Asks for tasks, by the paths that the photos have now.
  private mutating func file(_ tasks: [FileTask], at now: Instant) {
    for task in tasks {
      let path = store.index[task.photo]
      let change: FileChange =
        switch task {
        case .trash: .trash(path: path, home: HomeTrash.path)
        case .restore(_, let file): .restore(file, path: path)
        case .rename(let photo, let name):
          .rename(path: path, to: store.index.table.folder(of: photo) + name)
        }
      keeper.ask(task, change, name: Array(store.index.table.name(of: task.photo)), at: now)
    }
  }

  /// Takes what became of tasks: first the photos are where their files are.
  mutating func takeFiled(at now: Instant) {
    filed += keeper.service(at: now)
    guard !filed.isEmpty, !catalog.isRelisting else { return }
    var trashed: Set<Photo.ID> = []
    var restored: [Photo.ID] = []
    for one in filed {
      let path = store.index.table.path(of: one.task.photo)
      switch (one.task, one.outcome) {
      case (.trash(let photo), .trashed):
        if source.isNamed(path) { catalog.disown(path) }
        trashed.insert(photo)
        if !isHere(photo) { catalog.expect(photo, isThere: false) }
      case (.restore(let photo, _), .done):
        if isHere(photo) {
          restored.append(photo)
        } else {
          catalog.expect(photo, isThere: true)
        }
      case (.rename(let photo, let name), .done):
        if source.isNamed(path) { catalog.disown(path) }
        let folder = store.index.table.folder(of: photo)
        catalog.rename(photo, to: PhotoPath(root: path.root, path: folder + name))
        if !isHere(photo) { catalog.expect(photo, isThere: true) }
      default: break
      }
    }
    if !trashed.isEmpty { catalog.withdraw(trashed) }
    catalog.readmit(restored)
    showNews(at: now)
    let news = filed
    filed = []
    tell(.filed(news), at: now)
  }

  /// Whether a photo's file is in the place that is shown, rather than in one that was left.
  private func isHere(_ photo: Photo.ID) -> Bool {
    guard source.isOrdered else { return true }
    let folder = store.index.table.folder(of: photo)
    return source.isNamed(store.index.table.path(of: photo))
      || trail.roots.contains { root in
        let slash = UInt8(ascii: "/")
        let place = root.isEmpty || root.last == slash ? root : root + [slash]
        return configuration.isRecursive ? folder.starts(with: place) : folder == place
      }
  }

  /// Hands a photo's path to the terminal's clipboard.
  private mutating func copyPath(of photo: Photo.ID, at now: Instant) {
    let path = AbsolutePath.of(store.index[photo])
    guard path.count <= Self.longestCopied else {
      return tell(.told("the path has \(path.count) bytes, too many to copy"), at: now)
    }
    terminal.copy(path)
    // Nothing comes back that would tell whether the terminal lets programs do that.
    let isTmux = evidence.environment.variables["TMUX"].map { !$0.isEmpty } ?? false
    let words = "path sent to the clipboard" + (isTmux ? " (tmux: set-clipboard on)" : "")
    tell(.told("\(words): \(PrintableText.from(path))"), at: now)
  }

  /// Opens a photo with the program that was chosen, else with the desktop's.
  private mutating func open(_ photo: Photo.ID, at now: Instant) {
    let variables = evidence.environment.variables
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      variables[$0].map { !$0.isEmpty } ?? false
    }
    guard configuration.openWith != nil || hasDisplay else {
      let words = "no desktop to open it on; --open-with COMMAND names a program"
      return tell(.told(words), at: now)
    }
    if let words = openings.open(store.index[photo], with: configuration.openWith) {
      return tell(.told(words), at: now)
    }
    let name = PhotoName.printable(store.index[photo])
    tell(.told("opening \(name) with \(openings.name(of: configuration.openWith))"), at: now)
  }
}

/// Paths that hold wherever one is.
enum AbsolutePath {
  /// A path with the current folder before it, unless it is absolute.
  static func of(_ path: [UInt8]) -> [UInt8] {
    guard path.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    var start = UnsafeBufferPointer(start: folder, count: strlen(folder)).map {
      UInt8(bitPattern: $0)
    }
    if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
    var rest = path[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
    return start + rest
  }
}

/// The trash in the person's home, by the XDG Base Directory Specification.
enum HomeTrash {
  /// Absolute; empty where the environment names none.
  static let path: [UInt8] = {
    func variable(_ name: String) -> [UInt8]? {
      guard let text = getenv(name), text[0] == CChar(bitPattern: UInt8(ascii: "/")) else {
        return nil
      }
      return UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
    let data =
      variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + Array("/.local/share".utf8) }
    guard var folder = data, folder.count < Int(PATH_MAX) else { return [] }
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    return folder + Array("/Trash".utf8)
  }()
}
