import Foundation
import PseudoTerminal
import Testing

/// Sections by date and by folder, in the real program.
@Suite(.waiting) struct SectionEndToEndTests {
  /// Photos of three months, named so that their order by name is another one.
  private func folder() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    for (name, taken) in [
      ("d", "2023:12:31 23:59:59"), ("c", "2024:05:21 10:00:00"), ("a", "2024:05:21 09:00:00"),
      ("b", "2024:06:01 00:00:00"),
    ] {
      try folder.add(TestPhoto.jpeg(taken: taken), as: "\(name).jpg")
    }
    try folder.add(.flat(TestPhoto.red), as: "e.png")
    return folder
  }

  @Test func `headings name the months, and keys go from one to the next and mark them`() throws {
    let folder = try folder()
    let window = try folder.open("--group", "month", "--motion", "none", columns: 80, rows: 60)
    try window.wait(for: "the sections") { screen in
      screen.lines[0].hasPrefix("  December 2023 · 1 photo               May 2024 · 2 photos")
        && screen.shows("  June 2024 · 1 photo                   No date · 1 photo")
        && screen.bar.contains("by month")
    }
    window.type("gg}")
    try window.wait(for: "the first photo of May") { $0.bar.hasPrefix("a.jpg") && $0.isAt("2/5") }
    window.type("gs")
    try window.wait(for: "two marks") { $0.bar.contains("2 marked") }
    window.type("gt2024-06\r")
    try window.wait(for: "the photo of June") { $0.bar.hasPrefix("b.jpg") && $0.isAt("4/5") }
    let row = try #require(window.screen.lines.firstIndex { $0.contains("May 2024") })
    window.click(45, row)
    try window.wait(for: "no marks") { !$0.bar.contains("marked") }
    window.type("gn")
    try window.wait(for: "Not grouped") { !$0.shows("May 2024") && !$0.bar.contains("by month") }
    try window.quit()
  }

  @Test func `months with few photos are beside each other, and a click marks the one it meets`()
    throws
  {
    let folder = try PhotoFolder()
    for (name, taken) in [
      ("a", "2023:12:31 23:59:59"), ("b", "2024:05:21 09:00:00"), ("c", "2024:06:01 00:00:00"),
      ("d", "2024:06:02 00:00:00"), ("e", "2024:07:01 00:00:00"), ("f", "2024:09:01 00:00:00"),
    ] {
      try folder.add(TestPhoto.jpeg(taken: taken), as: "\(name).jpg")
    }
    let window = try folder.open(
      "--group", "month", "--motion", "none", "--columns", "4", columns: 80, rows: 20)
    let months = [
      " December 2023 · 1 photo                May 2024 · 1 photo",
      " June 2024 · 2 photos                                       July 2024 · 1 photo",
    ]
    try window.wait(for: "two months in each row") { screen in
      months.allSatisfy(screen.shows) && screen.lines[0].hasPrefix(months[0])
    }
    window.type("gg\u{1B}[B")
    try window.wait(for: "the photo below") { $0.bar.hasPrefix("c.jpg") && $0.isAt("3/6") }
    window.type("gg}}}")
    try window.wait(for: "the photo of July") { $0.bar.hasPrefix("e.jpg") && $0.isAt("5/6") }
    window.type("gs")
    try window.wait(for: "a mark in July") { $0.bar.contains("1 marked") }
    window.type("gg")
    try window.wait(for: "the first row") { $0.isAt("1/6") && $0.shows("May 2024") }
    window.click(70, 0)
    try window.wait(for: "a mark in May, too") { $0.bar.contains("2 marked") }
    try window.quit()
  }

  @Test func `headings with control characters in folders' names are harmless`() throws {
    let folder = try PhotoFolder()
    for name in ["a\u{1B}[2J", "b\nc"] {
      try folder.addFolder(name)
      try folder.add(.flat(TestPhoto.red), as: "\(name)/1.png")
    }
    let window = try folder.open("-r", "--group", "folder", "--motion", "none", rows: 40)
    try window.wait(for: "both headings") {
      $0.shows("/a?[2J · 1") && $0.shows("/b?c · 1")
    }
    try window.quit()
  }

  @Test func `printed facts contain each photo's section`() throws {
    let folder = try folder()
    func sections(_ options: String...) -> [String] {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--print", "--json"] + options + [folder.path], input: [],
        environment: PhotoGrid.environment)
      #expect(run.status == 0, "\(run)")
      return run.outputText.split(separator: "\n").map { line in
        let name = line.firstRange(of: ".jpg").map { String(line[..<$0.lowerBound].suffix(1)) }
        let section = line.firstRange(of: "\"section\":").map { line[$0.upperBound...].dropLast() }
        return "\(name ?? "e") \(section ?? "")"
      }
    }
    #expect(
      sections("--group", "day") == [
        "d \"2023-12-31\"", "a \"2024-05-21\"", "c \"2024-05-21\"", "b \"2024-06-01\"", "e null",
      ])
    #expect(
      sections("--group", "month", "--reverse").prefix(2) == ["b \"2024-06\"", "c \"2024-05\""])
    #expect(sections("--group", "year").first == "d \"2023\"")
    #expect(sections("--group", "folder").first == "a \"\(folder.path)\"")
    #expect(sections().allSatisfy { $0.hasSuffix("null") })
    #expect(folder.run("--print", "--json", "--group", "week", folder.path).status == 2)
  }

  @Test func `printed pictures have headings`() throws {
    let folder = try folder()
    let run = folder.run("--print", "-g", "40x20", "--group", "year", folder.path)
    let lines = run.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.contains("2023 · 1 photo") == true, "\(run)")
    #expect(lines.contains { $0.contains("2024 · 3 photos") })
  }

  /// Three photos of each month of two years, and one without a date.
  private func twoYears() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    for month in 0..<24 {
      for day in 1...3 {
        let taken =
          "\(2021 + month / 12):\(month % 12 < 9 ? "0" : "")\(month % 12 + 1):0\(day) 10:00:00"
        try folder.add(TestPhoto.jpeg(taken: taken), as: "\(100 + month)-\(day).jpg")
      }
    }
    try folder.add(.flat(TestPhoto.red), as: "x.png")
    return folder
  }

  @Test func `a drag of the scrubber goes to any date, and names it`() throws {
    let window = try twoYears().open("--group", "month", "--motion", "none", columns: 80, rows: 24)
    try window.wait(for: "the first month") { $0.lines[0].hasPrefix("  January 2021 · 3 photos") }
    window.press(79, 1)
    try window.wait(for: "the name of the first month beside the pointer") {
      $0.lines[1].contains(" January 2021 ") && $0.shows(" Mar ")
    }
    for row in [6, 12, 18] {
      window.drag(79, row)
      try window.wait(for: "the name of the month at the top, beside the pointer") { screen in
        let words = screen.lines[row].split(separator: " ")
        guard let year = words.lastIndex(where: { $0.hasPrefix("202") }), year > 0 else {
          return false
        }
        return screen.lines[0].hasPrefix("  \(words[year - 1]) \(words[year]) ")
      }
    }
    window.drag(79, 22)
    window.release(79, 22)
    try window.wait(for: "the end") { $0.isAt("73/73") || $0.shows("No date · 1 photo") }
    window.type("gg")
    try window.wait(for: "the first photo, and no scrubber a moment later") {
      $0.isAt("1/73") && !$0.shows(" Mar ")
    }
    try window.quit()
  }

  @Test(arguments: ["none", "full"])
  func `farther away are months and years, and each leads back to its photos`(motion: String) throws
  {
    let window = try twoYears().open("--motion", motion, columns: 80, rows: 40)
    try window.wait(for: "the photos") { $0.isAt("1/73") }
    window.type("40Gzo")
    try window.wait(for: "the months, by dates that are read now") {
      $0.bar.hasPrefix("February 2022") && $0.bar.contains("month 14/25 · 3 photos")
        && $0.shows("January 2022 · 3")
    }
    window.type("zo")
    try window.wait(for: "the years") {
      $0.bar.hasPrefix("2022") && $0.shows("2021 · 36 photos") && $0.shows("No date · 1 photo")
    }
    window.type("h\r")
    try window.wait(for: "the months of the other year") { $0.bar.hasPrefix("January 2021") }
    window.type("ll+")
    try window.wait(for: "the photos of a month") {
      $0.bar.hasPrefix("102-1.jpg") && $0.isAt("7/73") && $0.bar.contains("date taken")
    }
    window.type("zo")
    try window.wait(for: "its month") { $0.bar.hasPrefix("March 2021") }
    window.type("\u{1B}")
    try window.wait(for: "the photo") { $0.bar.hasPrefix("102-1.jpg") && $0.isAt("7/73") }
    try window.quit()
  }
}
