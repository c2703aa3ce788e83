import Foundation
import TestSupport
import Testing

/// Headings have the names of weekdays and months, and the order of date parts, of the user's
/// locale.
@Suite(.waiting) struct LocaleTests {
  /// A folder of locales, made from the sources that the C library comes with.
  private struct Locales {
    let folder = TemporaryFolder()

    func make(_ name: String) -> Bool {
      ProgramRun.of(
        ["localedef", "-i", name, "-f", "UTF-8", "\(folder.path)/\(name).UTF-8"]
      ).status == 0
    }
  }

  private func headings(
    of photos: PhotoFolder, by grouping: String, _ environment: [String: String]
  ) -> [String] {
    let run = photos.run(
      "--print", "--group", grouping, "-g", "60x20", photos.path, environment: environment)
    let text = run.outputText.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.contains(" photo") }
  }

  @Test(arguments: [
    // Months have another form without a day.
    ("ru_RU", "вторник, 21 мая 2024", "май 2024"),
    ("pl_PL", "wtorek, 21 maja 2024", "maj 2024"),
    ("de_DE", "Dienstag, 21 Mai 2024", "Mai 2024"),
    ("en_US", "Tuesday, May 21, 2024", "May 2024"),
    ("ja_JP", "2024 5月 21, 火曜日", "2024 5月"),
  ])
  func `headings are in the language of the locale`(
    name: String, day: String, month: String
  ) throws {
    let locales = Locales()
    try #require(locales.make(name), "localedef of the package 'locales'")
    let photos = try PhotoFolder()
    for name in ["a.jpg", "b.jpg"] {
      try photos.add(TestPhoto.jpeg(taken: "2024:05:21 10:00:00"), as: name)
    }
    let environment = ["LC_ALL": "\(name).UTF-8", "LOCPATH": locales.folder.path]

    // Versions of the C library differ in capitals.
    let found = ["day", "month"].map { headings(of: photos, by: $0, environment) }
    #expect(
      found.map { $0.map { $0.lowercased() } } == [
        ["\(day) · 2 photos".lowercased()], ["\(month) · 2 photos".lowercased()],
      ])
  }

  @Test(arguments: ["C", "POSIX", "C.UTF-8", "xx_YY.UTF-8"])
  func `headings are English without a language`(name: String) throws {
    let photos = try PhotoFolder()
    for name in ["a.jpg", "b.jpg"] {
      try photos.add(TestPhoto.jpeg(taken: "2024:05:21 10:00:00"), as: name)
    }
    let found = headings(of: photos, by: "day", ["LC_ALL": name])
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("Tuesday, 21 May 2024") == true, "\(found)")
    #expect(found.first?.hasSuffix("2 photos") == true, "\(found)")
  }
}
