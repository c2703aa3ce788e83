import Geometry
import PhotoGridCore
import Photos
import TestSupport
import Testing

@testable import SceneRendering

/// Whole gestures, drawn frame by frame in every way to draw pictures.
struct GestureTests {
  init() { UTF8Locale.use() }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures while a photo opens and closes`(way: GestureFilm.Way) throws {
    var film = GestureFilm(way)
    film.keys("llj")
    try film.rest()
    for isQuick in [false, true] {
      film.begin("opening")
      film.send(.key(.enter))
      try isQuick ? film.play(0.15) : film.rest()
      film.begin("closing", mayTurn: isQuick)
      film.send(.key(.escape))
      try film.rest()
    }
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases, [0.0, 0.15])
  func `tiles show their pictures while a photo is dragged home`(
    way: GestureFilm.Way, pause: Double
  ) throws {
    var film = GestureFilm(way)
    film.keys("llj")
    try film.rest()
    film.send(.key(.enter))
    try film.rest()
    film.begin("the drag")
    try film.drag(from: (150, 60), to: (160, 190), seconds: 0.5)
    try film.play(pause)
    film.begin("the flight home")
    film.mouse(.released(.left), 160, 190)
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures while a photo is thrown, and caught by a click`(
    way: GestureFilm.Way
  ) throws {
    var film = GestureFilm(way)
    film.keys("llj")
    try film.rest()
    film.send(.key(.enter))
    try film.rest()
    film.begin("the throw")
    try film.drag(from: (150, 60), to: (140, 130), seconds: 0.1)
    film.mouse(.released(.left), 140, 130)
    try film.play(0.2)
    film.begin("the second flight", mayTurn: true)
    film.send(.key(.enter))
    try film.play(0.1)
    film.begin("the third flight", mayTurn: true)
    film.send(.key(.escape))
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `photos show their pictures during a swipe`(way: GestureFilm.Way) throws {
    var film = GestureFilm(way)
    try film.rest()
    film.send(.key(.enter))
    try film.rest()
    film.begin("the swipe")
    try film.drag(from: (250, 100), to: (110, 104), seconds: 0.2)
    film.mouse(.released(.left), 110, 104)
    try film.rest()
    film.begin("the swipe back")
    try film.drag(from: (120, 100), to: (150, 104), seconds: 0.2)
    film.mouse(.released(.left), 150, 104)
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures while the layout changes`(way: GestureFilm.Way) throws {
    var film = GestureFilm(way)
    film.keys("llj")
    try film.rest()
    for step in 1...6 {
      film.begin("Tab \(step)")
      film.send(.key(.tab))
      // The fifth is interrupted by the sixth.
      try step == 5 ? film.play(0.1) : film.rest()
    }
    film.begin("whole photos")
    film.keys("c")
    try film.rest()
    film.begin("larger tiles")
    film.keys("+")
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures while sections are made and left`(
    way: GestureFilm.Way
  ) throws {
    var film = GestureFilm(way)
    film.send(
      .filesRead((0..<40).map { Photo.ID($0) }, InfoBlock((0..<40).map { Self.facts($0) })))
    film.keys("ll")
    try film.rest()
    film.begin("sections by month")
    film.keys("gm")
    try film.rest()
    film.begin("months")
    film.send(.key(.backspace))
    try film.rest()
    film.begin("no sections")
    film.keys("gm")
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures while a filter takes tiles out and brings them back`(
    way: GestureFilm.Way
  ) throws {
    var film = GestureFilm(way)
    film.keys("lljj")
    try film.rest()
    film.begin("the filter")
    film.keys("fc")
    try film.rest()
    film.begin("a longer one")
    film.keys("ow")
    try film.rest()
    film.begin("no filter")
    film.send(.key(.escape))
    try film.rest()
    expectNoFaults(film)
  }

  @Test(arguments: GestureFilm.Way.allCases)
  func `tiles show their pictures on the way into a folder and out of it`(
    way: GestureFilm.Way
  ) throws {
    var film = GestureFilm(way)
    let (folder, up) = (Photo.ID(100), Photo.ID(101))
    film.send(
      .named(
        NameBatch(first: folder, folder: [], names: GestureFilm.block(["in/", "up/"]))))
    film.send(.folderPreviewed(folder, FolderPreview(samples: (20..<24).map { Photo.ID($0) })))
    film.send(.listingReplaced([folder, up] + (0..<20).map { Photo.ID($0) }))
    film.keys("gg")
    try film.rest()
    film.begin("into the folder")
    film.send(.key(.enter))
    let inner = (20..<40).map { Photo.ID($0) }
    film.send(.moved(FolderMove(from: [], to: Array("in/".utf8), .into(folder), photos: inner)))
    film.send(.listed(ListingNotes()))
    try film.rest()
    film.begin("out of the folder")
    let outer = [folder, up] + (0..<20).map { Photo.ID($0) }
    film.send(
      .moved(FolderMove(from: Array("in/".utf8), to: [], .outOf(folder), photos: outer)))
    film.send(.listed(ListingNotes()))
    try film.rest()
    expectNoFaults(film)
  }

  // MARK: - Help

  /// The facts of a photo taken in the month of its number, ten photos a month.
  private static func facts(_ photo: Int) -> PhotoInfo {
    var info = PhotoInfo.plain
    info.size = PixelSize(width: 4000, height: 3000)
    info.taken = TakenTime(iso8601: "2024-0\(photo / 10 + 1)-\(photo % 10 + 10)T10:00:00")
    return info
  }

  private func expectNoFaults(
    _ film: GestureFilm, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(film.faults == [], sourceLocation: sourceLocation)
    #expect(film.sampleCount > 300, sourceLocation: sourceLocation)
  }
}
