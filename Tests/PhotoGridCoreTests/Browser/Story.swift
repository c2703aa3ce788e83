import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// A browser with a clock that moves only when the story says so.
struct Story {
  var browser: Browser
  var now = Instant(seconds: 100)
  var effects: [Effect] = []
  private var eventCount = 0
  /// What the last tick left to be done although it was due.
  private var overdue: Instant?

  init(
    photos: Int, columns: Int = 100, rows: Int = 31, motion: MotionSetting = .full,
    size: PixelSize = PixelSize(width: 4000, height: 3000)
  ) {
    var options = Browser.Options()
    options.motion = motion
    browser = Browser(
      options: options, cells: CellSize(columns: columns, rows: rows), metrics: .standard)
    send(.found((0..<photos).map { Photo.ID($0) }))
    for number in 0..<photos { send(.measured(Photo.ID(number), size)) }
    send(.listed(ListingNotes()))
  }

  mutating func send(_ event: Event) {
    let new = browser.handle(event, at: now)
    eventCount += 1
    Trace.current?.add(new, of: browser, number: eventCount, event: event, at: now)
    effects += new
    if event == .tick { checkNextChange() }
  }

  /// Checks that the program can wait for the next change; what is due keeps it awake.
  private mutating func checkNextChange() {
    let left = browser.nextChange.flatMap { $0 <= now ? $0 : nil }
    if let left, let overdue { #expect(left != overdue, "two ticks do not do what is due") }
    overdue = left
  }

  mutating func keys(_ text: String) {
    for character in text { send(.key(.character(character))) }
  }

  mutating func wait(_ seconds: Double) {
    // The ticks of the frames in between, as the run loop sends them.
    let end = now.advanced(bySeconds: seconds)
    while now < end {
      now = min(now.advanced(bySeconds: 1.0 / 60), end)
      send(.tick)
    }
  }

  /// Waits until nothing moves.
  mutating func waitUntilStill(atMost seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while now < end, browser.isAnimating(at: now) { wait(1.0 / 60) }
  }

  mutating func mouse(
    _ kind: MouseEvent.Kind, _ x: Double, _ y: Double, _ modifiers: MouseEvent.Modifiers = []
  ) {
    send(.mouse(MouseEvent(kind, at: PixelPoint(x: x, y: y), modifiers: modifiers)))
  }

  mutating func click(_ point: PixelPoint) {
    mouse(.pressed(.left), point.x, point.y)
    mouse(.released(.left), point.x, point.y)
  }

  /// Clicks on a text of the panel, and returns where it is.
  @discardableResult
  mutating func click(onPanel text: String) -> PixelPoint {
    guard let panel = browser.panel(at: now),
      let layout = PanelLayout(panel, in: browser.viewport.pictureCells),
      let row = layout.lines.firstIndex(where: { $0.string.contains(text) }),
      let range = layout.lines[row].string.firstRange(of: text)
    else {
      Issue.record("no '\(text)' on a panel")
      return .zero
    }
    let line = layout.lines[row].string
    let column = CellText(String(line[..<range.lowerBound])).width
    let origin = layout.area.origin
    let point = browser.viewport.metrics.center(
      of: CellPoint(column: origin.column + 2 + column, row: origin.row + 1 + row))
    click(point)
    return point
  }

  var scene: Scene { browser.scene(at: now) }

  /// The placement of the open photo.
  var out: Placement? {
    guard let index = browser.viewerIndex else { return nil }
    return scene.placements.last { $0.photo == browser.items[index] }
  }

  func tile(_ index: Int) -> PixelRect {
    browser.grid.layout.frame(at: index).offset(x: 0, y: -browser.grid.scroll.target)
  }
}

extension Browser {
  /// The index of the open photo; nil if no photo is open.
  var viewerIndex: Int? { viewer.flatMap { collection.index(of: $0.photo) } }
}
