import Foundation
import Testing

@testable import PhotoGridCore
@testable import SceneModel

/// The keys that are printed, typed as they are printed.
@Suite struct KeyTableTests {
  /// The printed keys of a command: those of a sequence one after the other.
  private static func typed(_ name: String) throws -> [Key] {
    try Key(named: name).map { [$0] } ?? name.map { try #require(Key(named: String($0))) }
  }

  @Test(arguments: KeyMap.View.allCases)
  func `every key of the table, typed as printed, runs its command`(view: KeyMap.View) throws {
    for entry in KeyTable.entries(in: view) {
      for name in entry.keys {
        var reader = KeyReader()
        let readings = try Self.typed(name).map { reader.read($0, in: view, by: .standard) }
        #expect(readings.last??.command == entry.command, "\(name): \(entry.title)")
        #expect(readings.dropLast().allSatisfy { $0 == nil }, "\(name)")
      }
    }
  }

  /// The keys that stand with a screen.
  private static let screens: [(view: KeyMap.View, sections: [KeyTable.Section])] = [
    (.grid, [KeyTable.inGrid, KeyTable.tiles]), (.viewer, [KeyTable.inPhoto]),
    (.comparison, [KeyTable.inComparison]),
  ]

  @Test(arguments: screens.indices)
  func `keys that stand with a screen work there and are in the table`(index: Int) {
    let (view, sections) = Self.screens[index]
    let headings = KeyTable.topics.flatMap(\.sections).map(\.heading)
    for section in sections {
      #expect(section.lines.allSatisfy { $0.views.contains(view) }, "\(section.heading)")
      #expect(headings.count { $0 == section.heading } == 1)
    }
  }

  /// The keys in the README's table, and what the text beside it says about them.
  private static let readme: [(keys: [Substring], text: Substring)] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let url = root.appendingPathComponent("../../../README.md").standardized
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let table = text.split(separator: "\n").drop { $0 != "| key | does |" }.dropFirst(2)
    return table.prefix { $0.hasPrefix("| ") }.map { line in
      (
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map(\.element), line
      )
    }
  }()

  @Test func `the keys of the README's table exist`() {
    #expect(Self.readme.count == 12)
    for (keys, line) in Self.readme {
      for name in keys {
        let isKey = KeyMap.View.allCases.contains { view in
          KeyMap.standard[view][String(name)] != nil
            || name.count == 1 && KeyMap.standard.isPrefix(Character(String(name)), in: view)
        }
        #expect(isKey, "\(name) in \(line)")
      }
    }
  }
}
