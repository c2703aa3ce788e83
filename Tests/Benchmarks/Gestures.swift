import Foundation
import Geometry
import PhotoGridCore
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering

/// What somebody does before a browser, as events before each of its frames.
private struct Gesture {
  var name = ""
  /// Puts a new browser into the state before.
  var prepare: (inout Stage) -> Void
  /// The events, of which some are followed by frames until nothing moves any more.
  var phases: [[Event]]
  var isAnimated = true
  /// Whether the terminal accepts pictures by name when it is asked, or has responded before.
  var acceptsPictures = true
  /// The seconds between frames.
  var interval = 1.0 / 60
  var closeUp: (Photo.ID) -> CloseUp? = { _ in nil }
  /// The content of a placement, while a photo is open or not.
  var content: (Placement, Photo.ID?) -> TileContent = { placement, opened in
    .picture(placement.photo == opened ? Stage.screenPicture : Stage.tile(placement))
  }

  /// Performs the gesture some times; returns the frames in motion, and the first ones at rest.
  ///
  /// The first run, which also sends pictures, counts only if it is the only one.
  func frames(
    _ renderer: any SceneRenderer, runs: Int
  ) -> (moving: [Stage.Frame], still: [Stage.Frame]) {
    var (moving, still, stage) = ([Stage.Frame](), [Stage.Frame](), Stage(renderer))
    prepare(&stage)
    if !acceptsPictures { stage.acceptPictures() }
    let (browser, start) = (stage.browser, stage.now)
    func draw(_ event: Event = .tick, after seconds: Double) -> Stage.Frame {
      let opened = stage.browser.openPhoto
      return stage.frame(event, after: seconds, closeUp: closeUp) { content($0, opened) }
    }
    for run in 0...(runs > 1 ? runs : 0) {
      if run == 1 { (moving, still) = ([], []) }
      // The same browser again, before a terminal that shows what was drawn last.
      (stage.browser, stage.now) = (browser, start)
      still.append(draw(after: interval))
      if acceptsPictures { stage.acceptPictures() }
      repeat { _ = draw(after: interval) } while stage.renderer.isUnfinished
      for events in phases {
        for event in events { moving.append(draw(event, after: interval)) }
        while isAnimated, stage.browser.isAnimating(at: stage.now) {
          let frame = draw(after: interval)
          if stage.browser.isAnimating(at: stage.now) {
            moving.append(frame)
          } else {
            still.append(frame)
          }
        }
        repeat { _ = draw(after: 1) } while stage.renderer.isUnfinished
      }
    }
    return (moving, still)
  }
}

/// A thousand photos in the grid.
private func showPhotos(_ stage: inout Stage) {
  stage.tell(.found(photos(0..<1000)), .listed(ListingNotes()), .measured(photos(0..<1000)))
}

/// Presses keys, each of which shows its effect before the next.
private func press(_ keys: [Key], _ stage: inout Stage) {
  for key in keys {
    stage.tell(.key(key))
    stage.advance(1)
    stage.tell(.tick)
  }
}

/// A photo zooms out of the grid, whose tiles fade; all tiles fly from one layout to another, and into a folder.
func measureFrames(_ arguments: Arguments) throws {
  let name = arguments.values("--colors").last ?? ColorDepth.full.rawValue
  guard let depth = ColorDepth(rawValue: name) else {
    let names = ColorDepth.allCases.map(\.rawValue).joined(separator: "|")
    throw UsageError("--colors: one of \(names)")
  }
  var appearance = Appearance()
  appearance.hasWedges = arguments.has("--wedges")
  // A motion of 0.35 s in sixty steps.
  let interval = 0.35 / 61
  let layouts = ["grid to mosaic", "mosaic to bento", "bento to rows", "rows to grid"]
  let changes = layouts.enumerated().map { number, title in
    Gesture(
      name: "change of layout: \(title)",
      prepare: { stage in
        showPhotos(&stage)
        press(Array(repeating: .tab, count: number), &stage)
      }, phases: [[.key(.tab)]], interval: interval)
  }
  // From a folder with as many folders as photos, when more is on the screen than at any other time.
  let move = FolderMove(from: [1], to: [2], .into(Photo.ID(0)), photos: photos(300..<400))
  let intoFolder = Gesture(
    name: "into a folder",
    prepare: { stage in
      let names = Array(repeatElement(Array("folder/".utf8) + [0], count: 30).joined())
      stage.tell(
        .named(NameBatch(first: Photo.ID(0), folder: [], names: names)), .found(photos(0..<60)))
      for folder in 0..<30 {
        let samples = photos(100 + 4 * folder..<104 + 4 * folder)
        stage.tell(.folderPreviewed(Photo.ID(folder), FolderPreview(samples: samples)))
      }
      stage.tell(.measured(photos(30..<400)))
    }, phases: [[.moved(move)]], interval: interval)
  let zoom = Gesture(
    name: "open zoom", prepare: showPhotos, phases: [[.key(.enter)]], interval: interval)
  for gesture in [zoom] + (arguments.has("--short") ? [] : changes + [intoFolder]) {
    let table = Table(
      "\(gesture.name), 200x60, colors: \(depth), 20 runs",
      ["budget ms"] + Table.spread + ["settled ms", "median bytes", "max bytes"], labels: 12)
    for (glyphs, budget) in zip(Stage.blocks, [1.5, 3, 6, 6]) {
      let frames = gesture.frames(
        CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance), runs: 20)
      let (times, bytes) = (frames.moving.map(\.milliseconds), frames.moving.map(\.bytes))
      let settled = frames.still.map(\.milliseconds).median
      table.row(glyphs.rawValue, [budget] + times.spread + [settled, bytes.median, bytes.most])
    }
  }
}

/// Drags the scrubber over 100,000 photos from end to end and back, and counts frames with a tile with nothing in it.
func measureScrubbing(_ arguments: Arguments) throws {
  let (steps, count) = (180, 100_000)
  let area = Stage(Stage.kitty()).browser.viewport.pictureArea
  // The first row is that of a heading.
  let top = CellMetrics.standard.cell.height
  let facts = (0..<count).map { number in
    var facts = PackedInfo()
    (facts.isKnown, facts.hasMetadata) = (true, true)
    let day = number * 3600 / count
    let date = (2010 + day / 360) * 10_000 + (day % 360 / 30 + 1) * 100 + day % 30 + 1
    facts.takenBits = Int64(date) * 1_000_000 + 120_000
    (facts.width, facts.height, facts.format) = (4000, 3000, .jpeg)
    return facts
  }
  let gesture = Gesture(
    prepare: { stage in
      stage.browser = Browser(
        options: Browser.Options(), grouping: .month, cells: Stage.cells,
        metrics: stage.browser.viewport.metrics)
      stage.tell(
        .filesRead(photos(0..<count), InfoBlock(facts, TextPools()), isRecorded: true),
        .found(photos(0..<count)), .listed(ListingNotes()))
      stage.advance(10)
      stage.tell(.tick)
    },
    phases: [
      (-steps...steps).map { step in
        let y = top + (1 - abs(Double(step)) / Double(steps)) * (area.height - top - 1)
        return .drag(area.width - 1, y, isFirst: step == -steps)
      }
    ], isAnimated: false, acceptsPictures: false,
    // What is cached meanwhile: the pictures of a third of the photos, the average colors of another.
    content: { placement, _ in
      switch placement.photo.index % 3 {
      case 0: .picture(Stage.tile(placement))
      case 1: .waiting(RGB(UInt8(placement.photo.index & 255), 90, 60))
      default: .waiting(nil)
      }
    })
  let table = Table(
    "\(count) photos by month at 200x60, 3 runs of \(2 * steps) frames: CPU",
    ["budget ms"] + Table.spread + ["median bytes", "with an empty tile", "of"], labels: 12)
  for (name, budget, renderer) in Stage.blocks.map({ ($0.rawValue, 4.0, Stage.cells($0)) })
    + [("kitty", 1, Stage.kitty())]
  {
    let frames = gesture.frames(renderer, runs: 3).moving
    let empty = Double(frames.count(where: \.hasEmptyTile))
    table.row(
      name,
      [budget] + frames.map(\.milliseconds).spread
        + [frames.map(\.bytes).median, empty, Double(frames.count)])
  }
}

/// Moves a photo of 100 megapixels about at 100 %, with all or the left half of the visible part decoded.
func measurePanning(_ arguments: Arguments) throws {
  func zoom(_ stage: inout Stage) {
    stage.tell(
      .found(photos(0..<1)), .measured(photos(0..<1), PixelSize(width: 12_000, height: 8400)),
      .listed(ListingNotes()), .key(.enter))
    press([.character("z")], &stage)
  }
  let table = Table(
    "moving about at 100 % at 200x60, 24-bit color, 20 runs of 60 frames: CPU",
    ["sharp ms"] + Table.spread.dropFirst() + ["half sharp"] + Table.spread.dropFirst() + ["bytes"],
    labels: 12)
  let photo = Mipmap(.synthetic(width: 800, height: 560, seed: 3))
  for glyphs in GlyphSet.allCases where glyphs != .ascii {
    var stage = Stage(Stage.cells(glyphs))
    zoom(&stage)
    guard let wanted = stage.browser.demands.first?.region?.wanted else { continue }
    let figures = [1, 2].map { divisor in
      var region = wanted
      region.width /= divisor
      let part = region
      let (width, height) = (part.sampleSize.width, part.sampleSize.height)
      let picture = Mipmap(.synthetic(width: width, height: height, seed: 4))
      let gesture = Gesture(
        prepare: zoom,
        phases: [
          (0...60).map { .drag(1300 - Double($0) * 13, 600 - Double($0) * 3, isFirst: $0 == 0) }
        ], isAnimated: false, closeUp: { _ in CloseUp(region: part, isOpaque: true) },
        content: { placement, _ in .picture(placement.region == nil ? photo : picture) })
      let frames = gesture.frames(stage.renderer, runs: 20).moving
      return frames.map(\.milliseconds).spread + [frames.map(\.bytes).median]
    }
    table.row(glyphs.rawValue, figures[0].dropLast() + figures[1])
  }
}

/// Moves pictures that the terminal stores; with a folder also the bytes of its first screen over a line, beside timg's.
func measureKitty(_ arguments: Arguments) throws {
  let table = Table(
    "200x60, frames of a 60th of a second, 10 runs: CPU of the drawing",
    Table.spread + ["bytes"] + Table.spread.dropFirst(), labels: 18)
  func opened(_ stage: inout Stage) {
    showPhotos(&stage)
    press([.enter], &stage)
  }
  let drag = (0...60).map {
    Event.drag(1000 + 3 * Double($0), 400 + 8 * Double($0), isFirst: $0 == 0)
  }
  for (name, gesture) in [
    ("zoom", Gesture(prepare: showPhotos, phases: [[.key(.enter)], [.key(.enter)]])),
    ("drag", Gesture(prepare: opened, phases: [drag], isAnimated: false)),
    ("scroll", Gesture(prepare: showPhotos, phases: [[.key(.pageDown)], [.key(.pageUp)]])),
    (
      "change of layout",
      Gesture(prepare: showPhotos, phases: [[.key(.tab)], [.key(.backTab)]])
    ), ("first zoom", Gesture(prepare: showPhotos, phases: [[.key(.enter)]])),
  ] {
    let frames = gesture.frames(Stage.kitty(), runs: name == "first zoom" ? 1 : 10).moving
    table.row(name, frames.map(\.drawing).spread + frames.map(\.bytes).spread)
  }
  guard let folder = arguments[0] else { return }
  let (scratch, photos) = (try Scratch(), try jpegs(in: folder, atMost: 50, atLeast: 50))
  let timg = ["timg", "-pk", "--grid=10", "-g200x60"]
  let sizes = Table(
    "first screen of 50 photos at 200x60, everything in the stream",
    ["bytes", "of them graphics", "photogrid's share"])
  var own = Double.nan
  for (name, command) in [
    ("photogrid", [Session.photogrid, "--protocol", "kitty", try scratch.links(to: photos)]),
    ("timg -pk --grid=10", timg + photos),
    ("the same with --compress", timg + ["--compress"] + photos),
  ] {
    // Like a terminal on another machine, which finds no pictures by name.
    var model = TerminalModel.modest
    model.graphics = ["d": "OK"]
    let session = try Session(command, model: model)
    session.settle(3)
    let output = session.terminal.output
    if !session.hasEnded { session.quit() }
    guard session.terminal.status == 0 else { throw UsageError("\(name) failed") }
    let graphics = String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}_")
      .dropFirst().map { ($0.components(separatedBy: "\u{1B}\\").first?.utf8.count ?? 0) + 4 }
    if own.isNaN { own = Double(output.count) }
    sizes.row(
      name,
      [Double(output.count), Double(graphics.reduce(0, +)), own / Double(output.count)])
  }
}
