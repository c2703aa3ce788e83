import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// What the browser wants done in the world.
extension BrowseLoop {
  mutating func carryOut(_ effect: Effect, at now: Instant) {
    switch effect {
    case .quit:
      let marked = configuration.printsMarks ? browser.album.markedInOrder : []
      ending = Ending(status: .done, printed: marked.map { store.paths[$0] })
    case .quitPrinting(let tile):
      var path = store.paths[tile]
      // Folders have a slash at the end here, which is not how they are named.
      if browser.album.isFolder(tile), path.count > 1 { path.removeLast() }
      ending = Ending(status: .done, printed: [path])
    case .choose(let photos):
      ending = Ending(status: .done, printed: photos.map { store.paths[$0] })
    case .interrupt: ending = Ending(status: .signal(SIGINT))
    case .suspend:
      terminal.farewell = parting + renderer.farewell()
      parting = []
      terminal.suspend()
      renderer.invalidate()
      resize(at: MonotonicClock.now)
    case .run(let command):
      let names = command.photos.map { store.paths[$0] }
      terminal.farewell = parting + renderer.farewell()
      parting = []
      ShellRun(command, names: names, separator: configuration.separator).run(in: terminal)
      renderer.invalidate()
      resize(at: MonotonicClock.now)
    case .file, .tellName, .copyPath, .open: carryOutForFiles(effect, at: now)
    case .redraw:
      terminal.redraw()
      renderer.invalidate()
    case .reload: reload(at: MonotonicClock.now)
    case .enter(let folder): enter(folder, at: now)
    case .goUp: goUp(at: now)
    }
  }

  /// Looks at the folders once more, and again at what could not be shown or may look otherwise.
  mutating func reload(at now: Instant) {
    loss = source.reload(at: now)
    glancing.removeAll()
    store.forgetFailures()
    for photo in Set(browser.demands.map(\.photo)) {
      store.reload(photo, at: now)
      inspector.finder.forget(photo)
    }
  }
}
