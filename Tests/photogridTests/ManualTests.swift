import Foundation
import PhotoGridCore
import Testing

@testable import photogrid

/// The manual, whose tables come from the program's own.
struct ManualTests {
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
