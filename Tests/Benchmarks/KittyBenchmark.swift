import Foundation
import Geometry
import PhotoGridCore
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering

/// Measures frames in a terminal that stores the pictures: zoom, scroll and change of layout.
enum KittyBenchmark {
  /// Prints the time and bytes of the frames; with a folder also the bytes of the first screen,
  /// compared with timg's.
  static func run(_ arguments: [String]) throws {
    print(
      "200x60, 60 tiles, frames of a 60th of a second; medians and 99th percentiles, \(runs) runs")
    print("motion            median ms   p99 ms   median bytes   p99 bytes   max bytes")
    for motion in Motion.allCases { report(motion) }
    if let folder = arguments.first { try FirstScreen.compare(folder) }
  }

  private static let runs = 10

  private enum Motion: String, CaseIterable {
    case zoom, drag, scroll
    case layout = "change of layout"
    case first = "first zoom"

    /// The keys that begin the motion and reverse it.
    var keys: (there: Key, back: Key) {
      switch self {
      case .zoom, .drag, .first: (.enter, .enter)
      case .scroll: (.pageDown, .pageUp)
      case .layout: (.tab, .backTab)
      }
    }
  }

  private static func report(_ motion: Motion) {
    var frames: [KittyTerminal.Frame] = []
    for _ in 0..<(motion == .first ? 1 : runs) {
      var stage = KittyTerminal()
      let (there, back) = motion.keys
      if motion == .first {
        frames += stage.frames(of: there)
        continue
      }
      // The first run transfers the pictures, the second is measured.
      _ = stage.frames(of: there)
      if motion == .drag {
        frames += stage.framesOfDrag()
        continue
      }
      _ = stage.frames(of: back)
      frames += stage.frames(of: there)
      frames += stage.frames(of: back)
    }
    let times = frames.map(\.milliseconds)
    let bytes = frames.map { Double($0.bytes) }
    let columns = [
      motion.rawValue.padding(toLength: 17, withPad: " ", startingAt: 0),
      String(format: "%9.2f", times.median), String(format: "%8.2f", times.percentile(99)),
      String(format: "%14d", Int(bytes.median)), String(format: "%11d", Int(bytes.percentile(99))),
      String(format: "%11d", Int(bytes.max() ?? 0)),
    ]
    print(columns.joined(separator: " "))
  }
}

/// The browser with its renderer, and a terminal that accepts all output.
private struct KittyTerminal {
  struct Frame {
    var milliseconds: Double
    var bytes: Int
  }

  private var browser: Browser
  private var renderer: KittyRenderer
  private var now = Instant(nanoseconds: 1_000_000_000)
  private var bytes = FrameBytes()

  private static let pictures = (0..<12).map {
    Mipmap(SyntheticPhoto.bitmap(width: 264, height: 198, seed: UInt64($0) + 2))
  }
  private static let screenPicture = Mipmap(
    SyntheticPhoto.bitmap(width: 1573, height: 1180, seed: 1))
  private static let firstID: UInt32 = 1000

  init() {
    renderer = KittyRenderer(
      PictureTraits(kittyMedium: .sharedMemory, appearance: Appearance(background: .black)),
      firstID: Self.firstID
    ) { _, _ in Array("/name".utf8) }
    var metrics = CellMetrics(cell: PixelSize(width: 10, height: 20))
    metrics.placementUnit = .pixels
    browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 200, rows: 60), metrics: metrics)
    let photos = (0..<200).map { Photo.ID($0) }
    tell(.found(photos))
    tell(.listed(ListingNotes()))
    for photo in photos { tell(.measured(photo, PixelSize(width: 4000, height: 3000))) }
    _ = frame()
    renderer.handle(graphicsReply: "Gi=\(Self.firstID + 1);OK")
    settle()
  }

  private mutating func tell(_ event: Event) { _ = browser.handle(event, at: now) }

  private mutating func settle() {
    repeat {
      now = now.advanced(bySeconds: 1 / 60)
      _ = frame()
    } while renderer.isUnfinished || browser.isAnimating(at: now)
  }

  private mutating func frame() -> Frame {
    tell(.tick)
    let scene = browser.scene(at: now) { _ in "name" }
    bytes.removeAll()
    let opened = browser.openPhoto
    let start = processorSeconds()
    renderer.frame(
      for: scene, metrics: browser.viewport.metrics,
      content: {
        $0.photo == opened
          ? .picture(Self.screenPicture)
          : .picture(Self.pictures[$0.photo.index % Self.pictures.count])
      }, into: &bytes)
    return Frame(
      milliseconds: (processorSeconds() - start) * 1000,
      bytes: bytes.uploads.count + bytes.picture.count)
  }

  /// Returns the frames from a key until nothing moves any more.
  mutating func frames(of key: Key) -> [Frame] {
    tell(.key(key))
    var frames: [Frame] = []
    repeat {
      now = now.advanced(bySeconds: 1 / 60)
      frames.append(frame())
    } while browser.isAnimating(at: now)
    settle()
    return frames
  }

  /// Returns the frames of an open photo that is dragged down and around.
  mutating func framesOfDrag() -> [Frame] {
    func mouse(_ kind: MouseEvent.Kind, _ x: Double, _ y: Double) -> Event {
      .mouse(MouseEvent(kind, at: PixelPoint(x: x, y: y)))
    }
    tell(mouse(.pressed(.left), 1000, 400))
    var frames: [Frame] = []
    for step in 0..<60 {
      now = now.advanced(bySeconds: 1 / 60)
      tell(mouse(.dragged(.left), 1000 + 3 * Double(step), 400 + 8 * Double(step)))
      frames.append(frame())
    }
    return frames
  }
}

/// Measures the bytes of a first screen sent over a link, without shared memory.
private enum FirstScreen {
  private static let count = 50

  /// Prints the bytes and those of timg for the same photos and terminal.
  static func compare(_ folder: String) throws {
    let photos = try ProgramRun.photos(in: folder, atMost: count)
    guard photos.count == count else {
      throw UsageError(message: "\(folder): only \(photos.count) JPEGs, \(count) are needed")
    }
    let linked = try ProgramRun.linkedFolder(of: photos, count: count)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    let own = try bytes(of: [ProgramRun.photogrid, "--protocol", "kitty", linked])
    let peer = try bytes(of: ["timg", "-pk", "--grid=10", "-g200x60"] + photos)
    let packed = try bytes(of: ["timg", "-pk", "--grid=10", "--compress", "-g200x60"] + photos)
    print("first screen of \(count) photos at 200x60, everything in the stream")
    print("photogrid: \(own.all) bytes, \(own.graphics) of them graphics")
    report("timg -pk --grid=10", peer.all, own.all)
    report("the same with --compress", packed.all, own.all)
  }

  private static func report(_ name: String, _ peer: Int, _ own: Int) {
    print(String(format: "%@: %d bytes, ratio %.2f", name, peer, Double(own) / Double(peer)))
  }

  private static func bytes(of command: [String]) throws -> (all: Int, graphics: Int) {
    let terminal = try PseudoTerminal(
      command, columns: ProgramRun.columns, rows: ProgramRun.rows)
    // Like a terminal on another machine, which finds no pictures by name.
    terminal.model.graphics = ["d": "OK"]
    terminal.runUntilQuiet(forSeconds: 3, limit: 120)
    let output = terminal.output
    if terminal.status == nil {
      terminal.send("q")
      terminal.run(forSeconds: 5) { terminal.status != nil }
    }
    guard terminal.status == 0 else { throw UsageError(message: "\(command[0]) failed") }
    return (output.count, graphicsCount(in: output))
  }

  /// Returns the number of bytes inside `APC` strings.
  private static func graphicsCount(in output: [UInt8]) -> Int {
    var (count, start) = (0, Int?.none)
    for index in output.indices.dropFirst() where output[index - 1] == 0x1B {
      if output[index] == UInt8(ascii: "_") { start = index }
      if output[index] == UInt8(ascii: "\\"), let begin = start {
        count += index - begin + 2
        start = nil
      }
    }
    return count
  }
}
