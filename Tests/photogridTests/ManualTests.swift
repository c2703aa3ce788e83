import Foundation
import PhotoGridCore
import Photos
import Testing

@testable import photogrid

/// The manual, whose tables come from the program's own.
struct ManualTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `PHOTOGRID_RECORD_TEXTS=1` writes the file again.
  @Test func `the manual on the web is that of the program`() throws {
    let file = Self.root.appending(path: "Assets/MANUAL.md")
    if ProcessInfo.processInfo.environment["PHOTOGRID_RECORD_TEXTS"] != nil {
      try MarkdownManual.text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      recorded == MarkdownManual.text,
      "write it again: photogrid --man-markdown > Assets/MANUAL.md")
  }

  @Test func `every key, command, option and filter term is in the manual`() {
    let text = MarkdownManual.text
    func has(_ term: String) -> Bool {
      text.contains("`\(term.replacing("|", with: "\\|"))`") || text.contains("`` \(term) ``")
    }
    for view in KeyMap.View.allCases {
      for key in KeyMap.standard[view].keys { #expect(has(key), "\(key)") }
    }
    for command in KeyMap.commands { #expect(has(command.name), "\(command.name)") }
    for entry in OptionEntry.all {
      #expect(has("--\(entry.name.rawValue)"), "\(entry.name)")
      if entry.isLasting { #expect(has(entry.name.rawValue), "\(entry.name)") }
    }
    for field in FilterField.allCases { #expect(text.contains("`\(field.rawValue):"), "\(field)") }
    for word in FilterField.keywords where word != "not" && word != "or" {
      #expect(has(word), "\(word)")
    }
  }

  @Test func `backticks are in pairs`() {
    for chapter in Manual.chapters {
      for case .paragraph(let text) in chapter.blocks {
        #expect(text.filter { $0 == "`" }.count.isMultiple(of: 2), "\(text)")
      }
    }
  }
}
