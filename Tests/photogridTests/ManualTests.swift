import Foundation
import ManualText
import PhotoGridCore
import Photos
import Testing

@testable import photogrid

/// The manual, some of whose tables come from the program's own.
struct ManualTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Assets/MANUAL.md")

  /// `PHOTOGRID_RECORD_TEXTS=1` writes the tables again.
  @Test func `the tables between comments are those of the program`() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let filled = text.replacing(/<!-- table: (.+) -->\n(?:.*\n)*?<!-- end -->/) { match in
      "<!-- table: \(match.1) -->\n\(Self.table(String(match.1)))\n<!-- end -->"
    }
    if ProcessInfo.processInfo.environment["PHOTOGRID_RECORD_TEXTS"] != nil {
      try filled.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(text == filled, "record them with PHOTOGRID_RECORD_TEXTS=1")
      #expect(ManualText.markdown == text, "the manual in the program is that of Assets")
    }
  }

  /// Returns the rows of a table, or those of several under headings.
  private static func table(_ name: String) -> String {
    switch name {
    case "options":
      rows(
        OptionEntry.all.map { entry in
          (
            (entry.short.map { ["-\($0)"] } ?? []) + ["--\(entry.name.rawValue)"], entry.value,
            entry.help
          )
        })
    case "lasting options":
      rows(
        OptionEntry.all.filter(\.isLasting).map {
          ([$0.name.rawValue], $0.value ?? "on|off", $0.help)
        })
    case "filter terms": rows(FilterTerm.all.map { ($0.examples, nil, $0.meaning) })
    case "commands":
      rows(
        KeyMap.commands.map { command in
          let entries = KeyTable.topics.flatMap(\.sections).flatMap(\.lines).flatMap(\.entries)
          return ([command.name], nil, entries.first { $0.command == command }?.title ?? "")
        })
    default: keys(of: name.replacing("keys ", with: ""))
    }
  }

  /// Returns the keys of a topic of the help, under the headings that it has there.
  private static func keys(of topic: String) -> String {
    let sections = KeyTable.topics.first { $0.title == topic }?.sections ?? []
    return sections.map { section in
      let heading = section.heading.isEmpty ? "Keys" : "Keys: \(section.heading)"
      return "### \(heading)\n\n"
        + rows(
          section.lines.flatMap { line in
            line.gesture.map { [([$0], nil, line.text)] }
              ?? line.entries.filter { !$0.keys.isEmpty }.map { ($0.keys, nil, $0.title) }
          })
    }.joined(separator: "\n\n")
  }

  private static func rows(_ rows: [(terms: [String], value: String?, text: String)]) -> String {
    "| | |\n|---|---|\n"
      + rows.map { row in
        let terms = row.terms.map { "`\($0)`" }.joined(separator: ", ")
        let value = row.value.map { " *\($0)*" } ?? ""
        let text = row.text.replacing(/[|*_<>`]/) { "\\\($0.0)" }
        return "| \((terms + value).replacing("|", with: "\\|")) | \(text) |"
      }.joined(separator: "\n")
  }

  @Test func `every key, command, option and filter term is in the manual`() {
    let text = ManualText.markdown
    func has(_ term: String) -> Bool {
      text.contains("`\(term.replacing("|", with: "\\|"))`")
    }
    for view in KeyMap.View.allCases {
      for key in KeyMap.standard[view].keys { #expect(has(key), "\(key)") }
    }
    for command in KeyMap.commands { #expect(has(command.name), "\(command.name)") }
    for entry in OptionEntry.all {
      #expect(has("--\(entry.name.rawValue)"), "\(entry.name)")
      if entry.isLasting { #expect(has(entry.name.rawValue), "\(entry.name)") }
    }
    for field in FilterField.allCases {
      let example = field.example.split(separator: " or ")[0]
      #expect(has("\(field.rawValue):\(example)"), "\(field)")
    }
    for word in FilterField.keywords where word != "not" && word != "or" {
      #expect(has(word), "\(word)")
    }
  }

  @Test func `backticks are in pairs`() {
    for paragraph in ManualText.markdown.split(separator: "\n\n")
    where !paragraph.contains("```") {
      #expect(paragraph.filter { $0 == "`" }.count.isMultiple(of: 2), "\(paragraph)")
    }
  }
}
