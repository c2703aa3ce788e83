import Foundation
import Geometry
import PseudoTerminal

/// What a GIF, a film and a slideshow cost in a window that nobody sees, beside one that is seen.
func measureHidden(_ arguments: Arguments) throws {
  let (scratch, seconds) = (try Scratch(), Double(try arguments.count(0, usually: 60)))
  let model = TerminalModel.kitty.adding([
    "\u{1B}[?2033$p": "\u{1B}[?2033;2$y", "\u{1B}[?998n": "\u{1B}[?999;1n",
  ])
  let table = Table(
    "hidden for \(figure(seconds)) s; all processes",
    ["seen: bytes/s", "% of a core", "hidden: bytes", "% of a core", "wake-ups", "ms to a frame"],
    labels: 12)
  let source = "testsrc2=s=640x360:r=25:d=\(seconds + 20)"
  for (name, keys) in [("a GIF", "\r"), ("a film", "\r"), ("a slideshow", "2s")] {
    let folder = try scratch.folder(name)
    switch name {
    case "a GIF": try makeFilm(source, "-t 3", "\(folder)/a.gif")
    case "a film":
      try makeFilm(source, "-c:v libx264 -preset ultrafast -pix_fmt yuv420p", "\(folder)/a.mp4")
    default: try makeFilm(source, "-frames:v 40", "\(folder)/%02d.png")
    }
    let session = try Session(photogrid: [folder], model: model)
    session.run(30) { !session.frameTimes.isEmpty }
    session.run(2)
    session.press(keys)
    session.run(3)
    /// The bytes, the percentage of a core, and the wake-ups in a while.
    func activity(_ seconds: Double) -> [Double] {
      let (family, count) = (session.process.family, session.terminal.chunks.count)
      // Of those that end meanwhile, less is known.
      func counts() -> [[Double]] { family.map { [$0.processorSeconds, $0.wakeUpCount] } }
      let before = counts()
      session.run(seconds)
      let increases = zip(counts(), before).map { zip($0, $1).map { max($0 - $1, 0) } }
      return [
        Double(session.terminal.chunks[count...].map(\.bytes.count).reduce(0, +)),
        increases.map { $0[0] }.reduce(0, +) * 100 / seconds,
        increases.map { $0[1] }.reduce(0, +),
      ]
    }
    let seen = activity(5)
    session.press("\u{1B}[?999;2n")
    session.run(1)
    let hidden = activity(seconds)
    let (count, shown) = (session.frameTimes.count, session.press("\u{1B}[?999;1n"))
    session.run(5) { session.frameTimes.count > count }
    let first = session.frameTimes.dropFirst(count).first.map { ($0 - shown) * 1000 } ?? .nan
    table.row(name, [seen[0] / 5, seen[1]] + hidden + [first])
    session.quit("\u{1B}\u{1B}q")
  }
}

/// The time from the program's death by `kill -9` until the terminal's settings are restored, and the memory
/// that the process which does so has of its own.
func measureKilled(_ arguments: Arguments) throws {
  let scratch = try Scratch()
  var (times, kilobytes) = ([Double](), [Double]())
  for _ in 0..<(try arguments.count(0, usually: 40)) {
    // A shell, which reads a line once the program has ended.
    let session = try Session(
      ["sh", "-c", "\"$@\"; read -r line", "sh", Session.photogrid, scratch.path], model: .kitty)
    session.settle(0.5)
    guard let program = session.process.children.first,
      let watcher = program.children.first(where: { $0.name == "photogrid-guard" })
    else { throw UsageError("no process watches the program") }
    kilobytes.append(watcher.privateKilobytes)
    let killed = session.time
    kill(program.id, SIGKILL)
    let isRestored = session.run(5) {
      session.look()
      return session.screen.modes == [7, 25]
        && session.terminal.settings == session.terminal.settingsBefore
    }
    times.append(isRestored ? (session.time - killed) * 1000 : .infinity)
    session.quit("\r")
  }
  let table = Table("killed \(times.count) times")
  table.row("ms until the terminal is restored", times.spread)
  table.row("kB of the process that does so", kilobytes.spread)
}
