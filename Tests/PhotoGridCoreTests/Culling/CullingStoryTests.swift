import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct CullingStoryTests {
  @Test func `a rating shows at once and is written, in the grid and in the viewer`() {
    var story = CullingStory(photos: 5)
    story.keys("l;4")
    #expect(story.stars(1) == 4)
    #expect(story.open == [AnnotationTask(Photo.ID(1), .stars(4))])
    story.press(.enter)
    story.keys(";x;r")
    #expect(story.browser.album.rating(of: Photo.ID(1)) == Rating(stars: -1, label: .red))
    story.write()
    #expect(story.disk == [1: Rating(stars: -1, label: .red)])
    #expect(story.browser.selection == 1)
  }

  @Test func `marked photos are rated together, and one undo restores them all`() {
    var story = CullingStory(photos: 6, ratings: [2: Rating(stars: 5)])
    story.keys("m")
    story.keys("llm")
    story.keys(";2")
    #expect((0..<3).map { story.stars($0) } == [2, 0, 2])
    story.write()
    story.keys("u")
    story.write()
    #expect((0..<3).map { story.stars($0) } == [0, 0, 5])
    #expect(story.disk[2] == Rating(stars: 5))
  }

  @Test func `culling goes on to the next photo with every key, and the bar counts down`() {
    var story = CullingStory(photos: 4)
    story.keys("C")
    story.story.wait(6)
    #expect(story.bar.right.contains("culling: 4 left"))
    story.keys("3")
    story.keys("x ")
    #expect(story.browser.selection == 3)
    #expect((0..<4).map { story.stars($0) } == [3, -1, 0, 0])
    #expect(story.bar.right.contains("culling: 2 left"))
    story.keys("5")
    #expect(story.browser.selection == 3)
    #expect(story.bar.left == "That was the last photo")
    story.keys("u")
    #expect(story.stars(3) == 0)
    story.keys("C")
    story.keys("3")
    #expect(story.stars(3) == 0, "a count again")
    #expect(story.open.count == 4)
  }

  @Test func `culling an open photo shows the next one`() {
    var story = CullingStory(photos: 3)
    story.press(.enter)
    story.keys("C4")
    #expect(story.browser.viewer?.photo == Photo.ID(1))
    story.keys("7")
    #expect(story.browser.album.rating(of: Photo.ID(1))?.label == .yellow)
    #expect(story.browser.viewer?.photo == Photo.ID(2))
    story.keys("u")
    #expect(story.browser.viewer?.photo == Photo.ID(1))
    #expect(story.browser.album.rating(of: Photo.ID(1))?.label == nil)
    story.press(.escape)
    #expect(story.browser.culling == nil && story.browser.viewer != nil)
  }

  @Test func `a rated photo that leaves the filter makes room for the next`() {
    var story = CullingStory(photos: 4)
    story.keys("frating:0")
    story.press(.enter)
    story.keys("C5")
    #expect(story.shown == [1, 2, 3])
    #expect(story.browser.current == Photo.ID(1))
    story.keys("x")
    #expect(story.shown == [2, 3])
    #expect(story.browser.current == Photo.ID(2))
  }

  @Test func `filters and orders wait for ratings, and take them as they come`() {
    var story = CullingStory(photos: 0)
    story.story.send(.found((0..<5).map { Photo.ID($0) }))
    story.story.send(.listed(ListingNotes()))
    story.keys("frating:>=3")
    story.press(.enter)
    #expect(story.shown == [])
    #expect(story.browser.collection.missingRatings.count == 5)
    #expect(story.browser.collection.missingFacts.isEmpty)
    #expect(!story.browser.collection.isSettled)
    story.disk = [1: Rating(stars: 3), 3: Rating(stars: 5), 4: Rating(stars: -1)]
    story.read((0..<5).map { Photo.ID($0) })
    #expect(story.shown == [1, 3])
    #expect(story.browser.collection.isSettled)
    story.press(.escape)
    story.keys(",*")
    #expect(story.shown == [3, 1, 0, 2, 4])
    story.keys(",-")
    #expect(story.shown == [4, 0, 2, 1, 3])
  }

  @Test(arguments: [
    ("rating:>=3", [0, 1]), ("rating:5", [0]), ("rating:<=3", [1, 4]), ("rejected", [2]),
    ("label:red", [1, 3]), ("label:none,green", [0, 2, 4]), ("not label:red rating:>0", [0]),
    ("-rejected", [0, 1, 3, 4]),
  ])
  func `a filter finds ratings`(text: String, numbers: [Int]) throws {
    var story = CullingStory(
      photos: 5,
      ratings: [
        0: Rating(stars: 5), 1: Rating(stars: 3, label: .red), 2: Rating(stars: -1, label: .green),
        3: Rating(stars: -1, label: .red),
      ])
    story.disk[2] = Rating(stars: -1, label: .green)
    if text == "rejected" || text == "-rejected" { story.disk[3] = Rating(stars: 0, label: .red) }
    if text == "rating:<=3" { story.disk[3] = Rating(stars: -1) }
    story.read((0..<5).map { Photo.ID($0) })
    story.keys("f" + text)
    #expect(story.shown == numbers)
    let filter = try Filter(parsing: text)
    #expect(try Filter(parsing: filter.description).expression == filter.expression)
  }

  @Test func `a rating that cannot be written is taken back, and is not undone`() {
    var story = CullingStory(photos: 3, ratings: [0: Rating(stars: 2)])
    story.broken = [0]
    story.keys(";5")
    #expect(story.stars(0) == 5)
    story.write()
    #expect(story.stars(0) == 2)
    #expect(story.bar.left == "'0.jpg' kept its old rating: its sidecar is broken")
    story.keys("u")
    #expect(story.open.isEmpty)
  }

  @Test func `why ratings are in sidecars is said once`() {
    var story = CullingStory(photos: 3)
    story.sidecarReason = "photos of its format are not changed"
    story.keys(";5")
    story.write()
    let words = "'0.jpg' has its rating in a sidecar: photos of its format are not changed"
    #expect(story.bar.left == words && story.stars(0) == 5)
    story.keys("l;4")
    story.write()
    #expect(
      story.bar.left != "'1.jpg' has its rating in a sidecar: photos of its format are not changed")
    story.sidecarReason = "the photo is damaged"
    story.keys("l;3")
    story.write()
    #expect(story.bar.left == "'2.jpg' has its rating in a sidecar: the photo is damaged")
  }

  @Test func `ratings that are read while one is written do not show`() {
    var story = CullingStory(photos: 2)
    story.keys(";3")
    story.read([Photo.ID(0), Photo.ID(1)])
    #expect(story.stars(0) == 3)
    #expect(story.browser.files.isChanging)
    story.write()
    #expect(!story.browser.files.isChanging)
    story.disk[0] = Rating(stars: 1)
    story.read([Photo.ID(0)])
    #expect(story.stars(0) == 1)
  }

  @Test func `a rating that fails takes back nothing that was written before`() {
    var story = CullingStory(photos: 2)
    story.keys(";5")
    story.write()
    story.broken = [0]
    story.keys(";5")
    story.write()
    story.broken = []
    story.keys("u")
    story.write()
    #expect(story.disk[0] == Rating.none)
  }

  @Test func `a thousand ratings can be undone, the last ones first`() {
    var story = CullingStory(photos: 2)
    for number in 0..<1200 {
      story.keys(number.isMultiple(of: 2) ? ";4" : ";2")
      story.write()
    }
    for _ in 0..<999 { story.keys("u") }
    story.write()
    #expect(story.disk[0] == Rating(stars: 4))
    story.keys("uu")
    story.write()
    #expect(story.disk[0] == Rating(stars: 2))
  }

  @Test func `undo goes back through ratings and the trash in turn`() {
    var story = CullingStory(photos: 3)
    story.keys(";3;4")
    story.write()
    story.keys("u")
    story.write()
    #expect(story.disk[0] == Rating(stars: 3))
    story.keys("u")
    story.write()
    #expect(story.disk[0] == Rating.none)
  }

  @Test func `nothing is rated with --read-only`() {
    var story = CullingStory(photos: 2)
    story.story.browser.gallery.options.isReadOnly = true
    story.keys(";3xC5")
    #expect(story.open.isEmpty && story.browser.culling == nil)
  }

  @Test func `badges fade as a photo leaves its tile, and return on the screen without a shade`() {
    var story = CullingStory(photos: 3, ratings: [0: Rating(stars: -1)], motion: .full)
    func course(_ key: Key) -> [(badges: Double, shade: Double)] {
      story.story.send(.key(key))
      return (0..<60).map { _ in
        story.story.wait(0.02)
        let photo = story.story.scene.placements.last { $0.photo == Photo.ID(0) }
        return photo.map { ($0.badges == nil ? 0 : $0.badgeOpacity, $0.shade) } ?? (0, 0)
      }
    }
    let opening = course(.enter)
    for course in [Array(opening.reversed()), course(.escape)] {
      let dip = course.firstIndex { $0.badges == 0 } ?? 0
      let (nearScreen, nearTile) = (course[..<dip].map(\.badges), course[dip...].map(\.badges))
      #expect(nearScreen == nearScreen.sorted(by: >) && nearScreen.contains { $0 > 0 && $0 < 1 })
      #expect(nearTile == nearTile.sorted() && nearTile.filter { $0 > 0 && $0 < 1 }.count >= 1)
      #expect(course[..<dip].allSatisfy { $0.shade == 0 })
      for (badges, shade) in course[dip...] {
        #expect(abs(shade - badges * Badges.rejectedShade) < 1e-9)
      }
    }
    #expect(opening.last?.badges == 1)
  }

  @Test func `an open photo shows its stars, its label, its reject, and its mark`() {
    var story = CullingStory(photos: 3, ratings: [0: Rating(stars: 3, label: .red)])
    story.press(.enter)
    #expect(story.story.scene.placements.last?.badges == Badges(Rating(stars: 3, label: .red)))
    #expect(story.story.scene.ring == nil)
    story.keys("m;x")
    let open = story.story.scene.placements.last
    #expect(open?.badges == Badges(Rating(stars: -1, label: .red)) && open?.shade == 0)
    let ring = story.story.scene.ring
    #expect(ring?.meaning == .marked && ring?.isRaised == true)
    #expect(ring.map { open?.frame.intersection($0.tile) == $0.tile } == true)
    story.keys("mn")
    #expect(story.story.scene.ring == nil && story.story.scene.placements.last?.badges == nil)
  }

  @Test func `a rating of an open photo is seen for 0.3 s before the next one comes`() {
    var story = CullingStory(photos: 4, motion: .full)
    story.press(.enter)
    story.story.wait(2)
    story.keys("C4")
    #expect(story.browser.current == Photo.ID(0))
    #expect(story.story.scene.placements.last?.badges?.stars == 4)
    #expect(story.browser.nextChange.map { $0.seconds(since: story.story.now) <= 0.3 } == true)
    story.story.wait(0.25)
    #expect(story.browser.current == Photo.ID(0))
    story.story.wait(0.1)
    #expect(story.browser.current == Photo.ID(1))
    // The next key does not wait.
    story.keys("12")
    #expect(story.browser.current == Photo.ID(2))
    story.keys(" ")
    #expect(story.browser.current == Photo.ID(3))
    story.write()
    #expect([0, 1, 2, 3].map { story.disk[$0]?.stars } == [4, 1, 2, nil])
  }

  @Test func `beside marked photos, the bar says once that Space does not mark an open photo`() {
    var story = CullingStory(photos: 4)
    story.press(.enter)
    story.keys(" ")
    #expect(story.bar.left.contains("Space goes") == false)
    story.keys("m ")
    #expect(story.bar.left.contains("Space goes to the next photo; m marks one"))
    story.keys("p ")
    #expect(story.bar.left.contains("Space goes") == false)
  }

  @Test func `tiles and the panel show ratings`() {
    var story = CullingStory(
      photos: 3, ratings: [0: Rating(stars: 3, label: .red), 1: Rating(stars: -1)])
    let badges = story.story.scene.placements.map(\.badges)
    #expect(badges == [Badges(Rating(stars: 3, label: .red)), Badges(Rating(stars: -1)), nil])
    #expect(story.story.scene.placements.map { $0.shade > 0 } == [false, true, false])
    var information = Information(name: "a", folderPath: "~")
    information.rating = Rating(stars: 3, label: .red)
    let lines = information.texts(in: CellSize(columns: 40, rows: 10), isPlain: true)
    #expect(lines.first == "rating    3 stars, red")
    story.keys("C")
    #expect(story.browser.culling != nil)
  }

  @Test func `every rating has a code of its own`() {
    var codes: Set<UInt8> = []
    for stars in Rating.possibleStars {
      for label in Rating.Label.allCases.map(Optional.some) + [nil] {
        let rating = Rating(stars: stars, label: label)
        codes.insert(rating.code)
        #expect(Rating(code: rating.code) == rating)
      }
    }
    #expect(codes.count == 49 && !codes.contains(0))
    #expect((50...255).allSatisfy { Rating(code: $0) == nil })
  }

  @Test(arguments: [
    ("3", 3), ("5.0", 5), ("4.7", 4), ("-1", -1), ("99", 0), ("five", 0), ("", 0), ("-2", 0),
    ("nan", 0), ("inf", 0), ("6", 0), ("-0.5", 0),
    (" 3 ", 3), ("\r\n\t-1\n", -1), ("3 4", 0), (" \n", 0),
  ])
  func `texts of xmp ratings`(text: String, stars: Int) {
    #expect(Rating(xmpRating: text, xmpLabel: nil).stars == stars)
  }

  @Test(arguments: seeds(1...20))
  func `whatever the keys, the disk has what is on the screen`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = CullingStory(photos: 8)
    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: story.write()
      case 1: story.press([.enter, .escape, .left, .right].randomElement(using: &random) ?? .up)
      case 2: story.read([Photo.ID(Int.random(in: 0..<8, using: &random))])
      case 3: story.keys(["m", "U", "v", ",*", ",n"].randomElement(using: &random) ?? "m")
      case 4: story.keys("u")
      case 5: story.keys("C")
      default:
        story.keys(
          ["3", "C", " ", ";5", ";r", ";n", ";x", "7", ";0"].randomElement(using: &random) ?? "x")
      }
    }
    story.write()
    for number in 0..<8 {
      #expect(
        story.browser.album.rating(of: Photo.ID(number)) == story.disk[number] ?? Rating.none)
    }
    #expect(!story.browser.files.isChanging)
    // Everything can be undone.
    story.keys("C")
    if story.browser.culling != nil { story.keys("C") }
    story.press(.escape)
    for _ in 0..<300 {
      story.keys("u")
      story.write()
    }
    #expect(story.disk.values.allSatisfy { $0 == Rating.none })
  }
}
