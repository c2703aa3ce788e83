import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// Patterns for the names of many photos, and the plans that they make.
@Suite struct RenamePatternTests {
  private static let subject: RenamePattern.Subject = RenamePattern.Subject(
    name: Array("IMG_0042.JPG".utf8), number: 7, taken: TakenTime(digits: 2024_05_01_12_30_09),
    modified: 0, camera: "Canon EOS R5/x", stars: 4)

  static let names: [(String, String)] = [
    ("{taken:%Y-%m-%d}_{n:3}{ext}", "2024-05-01_007.JPG"),
    ("{taken}", "2024-05-01.JPG"),
    ("{taken:%H%M%S %y}", "123009 24.JPG"),
    ("{taken:100%%}{ext}", "100%.JPG"),
    ("{name}", "IMG_0042.JPG"),
    ("{name}{ext}", "IMG_0042.JPG"),
    ("{ext}{name}", ".JPGIMG_0042"),
    ("{n}", "7.JPG"),
    ("{n:9}", "000000007.JPG"),
    ("{camera} {rating}", "Canon EOS R5-x 4.JPG"),
    ("{{{n}}}", "{7}.JPG"),
    ("Bär 日本 {n}", "Bär 日本 7.JPG"),
  ]

  @Test(arguments: names)
  func `a pattern gives a name`(pattern: String, name: String) throws {
    let bytes = try RenamePattern(parsing: pattern).name(of: Self.subject)
    #expect(String(decoding: bytes, as: UTF8.self) == name)
  }

  static let errors: [(String, String)] = [
    ("{", "a } is missing"), ("}", "a { is missing"), ("a{name", "a } is missing"),
    ("a/b", "a name cannot contain /"), ("{taken:%Y/%m}", "a name cannot contain /"),
    ("{taken:%Q}", "dates can use only %Y %y %m %d %H %M %S"),
    ("{taken:%}", "dates can use only %Y %y %m %d %H %M %S"),
    ("{n:0}", "{n:3} stands for three digits; use 1 to 9"),
    ("{n:99}", "{n:3} stands for three digits; use 1 to 9"),
    ("{n:x}", "{n:3} stands for three digits; use 1 to 9"),
    ("{lens}", "unknown {lens}; use \(RenamePattern.fields)"),
    ("{name:3}", "unknown {name:3}; use \(RenamePattern.fields)"),
  ]

  @Test(arguments: errors)
  func `what is no pattern is explained`(pattern: String, message: String) {
    #expect(throws: RenamePattern.Failure(message: message)) {
      try RenamePattern(parsing: pattern)
    }
  }

  static let impossible: [(String, [UInt8], String)] = [
    ("{taken}", Array("a.jpg".utf8), "no date"),
    ("{camera}", Array("a.jpg".utf8), "no camera"),
    ("{ext}", Array("a".utf8), "a file needs a name"),
    (".{ext}", Array("a".utf8), "'.' is a folder"),
    ("..{ext}", Array("a".utf8), "'..' is a folder"),
    ("{name}x", Array("a\u{1B}.jpg".utf8), "a name cannot contain control characters"),
    (
      String(repeating: "ä", count: 126), Array("a.jpg".utf8),
      "too long: 256 bytes; the limit is 255"
    ),
  ]

  @Test(arguments: impossible)
  func `a name that a photo cannot have is refused`(
    pattern: String, name: [UInt8], message: String
  ) throws {
    let pattern = try RenamePattern(parsing: pattern)
    #expect(throws: RenamePattern.Failure(message: message)) {
      try pattern.name(of: RenamePattern.Subject(name: name, number: 1))
    }
  }

  @Test func `bytes of a name that are not UTF-8 stay`() throws {
    let pattern = try RenamePattern(parsing: "x{name}")
    let name: [UInt8] = [0xFF, 0x80, 0x2E, 0x6A]
    #expect(try pattern.name(of: .init(name: name, number: 1)) == [0x78] + name)
  }

  @Test func `a name that is not UTF-8 has no slash either`() {
    #expect(FileName.validationError(of: [0xFF, UInt8(ascii: "/")]) == "a name cannot contain /")
  }

  @Test(arguments: seeds(1...50)) func `random patterns give valid names or reasons`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = ["{", "}", "{n:3}", "{taken:", "%Y", "%", "{name}", "{ext}", "/", "..", "a", ":"]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...6, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let pattern = try? RenamePattern(parsing: text),
        let name = try? pattern.name(of: Self.subject)
      else { continue }
      #expect(!name.isEmpty && !name.contains(UInt8(ascii: "/")) && name.count <= 255, "\(text)")
    }
  }

  // MARK: - Plans

  private func plan(_ pattern: String, _ files: [(folder: String, name: String)]) throws
    -> RenamePlan
  {
    let files = files.enumerated().map { place, file in
      RenamedFile(Photo.ID(place), folder: Array(file.folder.utf8), name: Array(file.name.utf8))
    }
    return RenamePlan(try RenamePattern(parsing: pattern), files) { file, number in
      RenamePattern.Subject(name: file.name, number: number)
    }
  }

  private func texts(_ plan: RenamePlan) -> [String] {
    plan.names.map { name in
      if case .name(let bytes) = name { return String(decoding: bytes, as: UTF8.self) }
      return "\(name)"
    }
  }

  @Test func `photos of one folder that would get one name get numbers`() throws {
    let plan = try plan(
      "sea", [("", "1.jpg"), ("", "2.jpg"), ("b/", "3.jpg"), ("", "4.png"), ("", "5.jpg")])
    #expect(texts(plan) == ["sea.jpg", "sea-1.jpg", "sea.jpg", "sea.png", "sea-2.jpg"])
    #expect(plan.numberedCount == 2 && plan.validationError == nil)
    #expect(plan.note == "Enter changes 5 names, 2 numbered")
  }

  @Test func `photos exchange their names, and those that keep theirs are left out`() throws {
    let plan = try plan("{n}", [("", "2.jpg"), ("", "1.jpg"), ("", "3.jpg")])
    #expect(
      plan.renamings == [
        Renaming(Photo.ID(0), to: Array("1.jpg".utf8)),
        Renaming(Photo.ID(1), to: Array("2.jpg".utf8)),
      ])
  }

  @Test func `what is not possible comes first, and many lines are cut`() throws {
    let files = (0..<30).map { ("", "\($0)\($0 == 20 ? "\u{1B}" : "").jpg") }
    let plan = try plan("x{name}", files)
    let error = "1 of 30 photos cannot be renamed: a name cannot contain control characters"
    #expect(plan.validationError == error)
    let lines = plan.lines(atMost: 4, columns: 60)
    #expect(lines.count == 4)
    #expect(error.hasPrefix(lines[0].prefix(40)))
    #expect(lines[1].hasSuffix(": a name cannot contain control characters"))
    #expect(lines[2] == "0.jpg → x0.jpg" && lines[3] == "and 28 more")
  }

  @Test func `in a small window the panel counts the photos without a date, not all others`() throws
  {
    let files = (0..<2939).map { ("", "\($0).jpg") }
    let pattern = try RenamePattern(parsing: "{taken}_{n}")
    let plan = RenamePlan(
      pattern,
      files.enumerated().map { RenamedFile(Photo.ID($0), folder: [], name: Array($1.1.utf8)) }
    ) { file, number in
      var subject = RenamePattern.Subject(name: file.name, number: number)
      if number > 251 { subject.taken = TakenTime(digits: 20_240_501_123_000) }
      return subject
    }
    #expect(plan.validationError == "251 of 2939 photos have no date")
    let lines = plan.lines(atMost: 7, columns: 34)
    #expect(lines.first == "251 of 2939 photos have no date:")
    #expect(lines.count == 7 && lines[1] == "0.jpg: no date" && lines[6] == "and 246 more")
  }

  @Test func `ten thousand photos of one wanted name are numbered at once`() throws {
    let plan = try plan("sea", (0..<10_000).map { ("", "\($0).jpg") })
    #expect(Set(texts(plan)).count == 10_000)
  }
}

/// The prompt for a pattern.
@Suite(.traced) struct RenamePatternStoryTests {
  init() { UTF8Locale.use() }

  private var story: Story {
    var story = Story(names: (0..<12).map { "photo \($0).jpg" })
    story.keys("   r")
    return story
  }

  private let files = (0..<3).map {
    RenamedFile(Photo.ID($0), folder: [], name: Array("photo \($0).jpg".utf8))
  }

  private func facts(_ photo: Int, taken: String?) -> (photo: Photo.ID, info: PhotoInfo?) {
    var info = PhotoInfo.plain
    info.taken = taken.flatMap { TakenTime(iso8601: $0) }
    info.metadata = PhotoMetadata()
    return (Photo.ID(photo), info)
  }

  @Test func `r with marks asks for a pattern, shows old and new names, and renames all`() throws {
    var story = story
    #expect(story.effects.last == .requestNames([Photo.ID(0), Photo.ID(1), Photo.ID(2)]))
    story.send(.namesReceived(files))
    #expect(story.browser.prompt?.line.text == "{taken:%Y-%m-%d}_{n:3}{ext}")
    #expect(story.browser.missingFacts == [Photo.ID(0), Photo.ID(1), Photo.ID(2)])
    #expect(story.bar.right == "reading 0 of 3…")
    story.press(.enter)
    #expect(story.browser.prompt != nil, "Enter waits for the dates")
    story.send(.filesRead((0..<3).map { facts($0, taken: "2024-05-0\($0 + 1)T00:00:00") }))
    #expect(story.bar.right == "Enter changes 3 names")
    let panel = try #require(story.browser.panel)
    #expect(panel.title == "Rename 3 photos")
    #expect(panel.lines[2] == "photo 2.jpg → 2024-05-03_003.jpg")

    story.press(.enter)
    let renamings = (0..<3).map {
      Renaming(Photo.ID($0), to: Array("2024-05-0\($0 + 1)_00\($0 + 1).jpg".utf8))
    }
    #expect(story.effects.last == .file([.rename(renamings)]))
    #expect(story.browser.panel == nil)
    let moved = zip(files, renamings).map { FileStep(from: $0.name, to: $1.name) }
    story.send(
      .fileOperationsFinished([
        FileOperation.rename(renamings).performed(.done(moved), name: files[0].name)
      ]))
    #expect(story.bar.left == "3 photos renamed · u undoes this")
    story.keys("u")
    #expect(
      story.effects.last
        == .file([FileOperation(.rename, renamings.map(\.photo), moved, isUndo: true)]))
  }

  @Test func `an error is shown while the pattern is typed, and nothing is renamed`() {
    var story = story
    story.send(.namesReceived(files))
    story.press(.control("u"))
    story.keys("{lens}")
    #expect(story.explanation.hasPrefix("unknown {lens}; use {name}"))
    story.press(.enter)
    #expect(story.browser.prompt != nil)
    story.press(.control("u"))
    story.keys("{taken}")
    story.send(.filesRead((0..<3).map { facts($0, taken: nil) }))
    #expect(story.bar.right == "3 of 3 photos have no date")
    story.press(.enter)
    #expect(!story.effects.contains { if case .file = $0 { true } else { false } })
    story.press(.escape)
    #expect(story.browser.prompt == nil && story.browser.panel == nil)
  }

  @Test func `a refusal names the file that is in the way`() {
    var story = story
    story.send(.namesReceived(files))
    story.press(.control("u"))
    story.keys("x{n}")
    story.press(.enter)
    let renamings = (0..<3).map { Renaming(Photo.ID($0), to: Array("x\($0 + 1).jpg".utf8)) }
    #expect(story.effects.last == .file([.rename(renamings)]))
    story.send(
      .fileOperationsFinished([
        FileOperation.rename(renamings)
          .performed(.refused("a file with that name exists (x2.jpg)"), name: files[0].name)
      ]))
    #expect(
      story.bar.left
        == "'photo 0.jpg' was not renamed: a file with that name exists (x2.jpg)")
  }
}
