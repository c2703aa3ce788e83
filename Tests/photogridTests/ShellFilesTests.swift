import PhotoGridCore
import Testing

@testable import photogrid

/// The manual page and the completions, which are generated from tables.
struct ShellFilesTests {
  @Test func `the page has every option and every key, and no text is an instruction`() {
    let page = ManPage.text
    for entry in OptionEntry.all {
      #expect(page.contains("\\fB" + ManPage.escaped("--\(entry.name.rawValue)")), "\(entry.name)")
      #expect(page.contains("\n\(ManPage.escaped(entry.help))\n"), "\(entry.name)")
    }
    for view in KeyMap.View.allCases {
      for key in KeyMap.standard[view].keys {
        // A key never begins a line, where a period would be escaped.
        let key = ManPage.escaped("_\(key)").dropFirst()
        #expect(page.contains("\\fB\(key)\\fR"), "\(key)")
      }
    }
    let macros = [".TH", ".SH", ".SS", ".PP", ".PD", ".TP", ".B", ".nf", ".fi", ".\\\""]
    for line in page.split(separator: "\n") where line.first == "." || line.first == "'" {
      #expect(macros.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
    }
  }

  @Test(arguments: [
    (".SH evil", "\\&.SH evil"), ("'quoted'", "\\&'quoted\\(aq"), ("a-b\\n", "a\\-b\\en"),
    ("^~`", "\\(ha\\(ti\\(ga"),
  ])
  func `special characters are escaped`(text: String, escaped: String) {
    #expect(ManPage.escaped(text) == escaped)
  }

  @Test(arguments: Completions.allCases)
  func `completions have every option and every choice`(shell: Completions) {
    let script = shell.script
    for entry in OptionEntry.all {
      let name = shell == .fish ? "-l \(entry.name.rawValue)" : "--\(entry.name.rawValue)"
      #expect(script.contains(name), "\(entry.name)")
      if let short = entry.short {
        #expect(
          shell == .bash && entry.value == nil
            || script.contains(shell == .fish ? "-s \(short)" : "-\(short)"))
      }
    }
    #expect(script.contains("half quadrant sextant octant ascii"))
  }
}
