import Geometry
import PhotoGridCore
import Photos
import TestSupport
import Testing

@testable import photogrid

struct ConfigurationFileTests {
  private func file(_ text: String) -> ConfigurationFile { ConfigurationFile(Array(text.utf8)) }

  @Test func `a filter's error shows no control characters`() {
    let messages = file("filter = type:h\u{1b}[31m\u{7}i").errorMessages(for: Array("c".utf8))
    #expect(messages.count == 1)
    #expect(messages.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(messages)")
  }

  /// The configuration after a file, the command line and the environment.
  private func configuration(
    _ text: String, _ words: String..., environment: [String: String] = [:]
  ) throws -> Configuration {
    var arguments = try ParsedArguments(words.map { Array($0.utf8) })
    try arguments.addEnvironment(environment)
    arguments.merge(file(text))
    return try Configuration(arguments)
  }

  @Test func `options are read from lines, and comments and blanks are ignored`() throws {
    let result = try configuration(
      """
      # how I like it
      \t layout =  mosaic\u{20}
      labels = on
      hidden=on
      hidden = off

      columns = fixed(20) flexible(10,40)
      accent = #ff8000\r
      """)

    #expect(
      result.view.layout.kind == .mosaic && result.view.layout.hasLabels
        && !result.input.showsHidden)
    #expect(result.view.layout.columns == (try GridColumns(parsing: "fixed(20) flexible(10,40)")))
    #expect(result.drawing.accent == RGB(255, 128, 0))
  }

  @Test func `the command line takes precedence over the environment, and that over the file`()
    throws
  {
    let text = "motion = none\nspacing = 3\nmouse = off"
    let result = try configuration(
      text, "--motion", "slow", environment: ["PHOTOGRID_SPACING": "2", "PHOTOGRID_MOTION": "full"])

    #expect(
      result.session.motion == .slow && result.view.layout.spacing == 2
        && result.session.mouse == false
    )
  }

  @Test(arguments: SwitchWord.all)
  func `labels are turned on and off by on, off, yes, no, true, false, 1, 0`(
    word: String, isOn: Bool
  ) throws {
    #expect(try configuration("labels = \(word)").view.layout.hasLabels == isOn)
    #expect(!(try configuration("labels = \(word)", "--no-labels").view.layout.hasLabels))
    let environment = ["PHOTOGRID_LABELS": "0"]
    #expect(
      !(try configuration("labels = \(word)", environment: environment).view.layout.hasLabels))
  }

  @Test func `every invalid line is reported with its number, and the others apply`() {
    let wrong = file(
      """
      layout = pile
      cell = 24
      colour = red
      print = on
      labels = maybe
      nonsense
      key = quit
      key x = fly
      key 3 = quit
      key e = open
      filter = date:99
      \u{1B}]0;evil = on
      """)

    #expect(wrong.values.keys.sorted { $0.rawValue < $1.rawValue } == [.cell])
    #expect(wrong.keys[.grid]["e"] == .navigation(.open))
    #expect(
      wrong.errorMessages(for: Array("/home/a/conf\u{1B}ig".utf8)) == [
        "/home/a/conf?ig:1: layout: 'pile' is not one of grid, mosaic, bento, bento(PATTERN), rows",
        "/home/a/conf?ig:3: colour: unknown option; photogrid --help lists all options",
        "/home/a/conf?ig:4: print: allowed only on the command line",
        "/home/a/conf?ig:5: labels: 'maybe' is not one of on, off, yes, no, true, false, 1, 0",
        "/home/a/conf?ig:6: 'nonsense': expected OPTION = VALUE or key KEYS = ACTION",
        "/home/a/conf?ig:7: key: expected key KEYS = ACTION",
        "/home/a/conf?ig:8: key: 'fly' is not an action; photogrid --list-keys lists all actions",
        "/home/a/conf?ig:9: key: '3' is reserved for counts",
        "/home/a/conf?ig:11: filter: 'date:99' at character 6: "
          + "'99' is not a date like 2024, July 2019, 2024-05-31, today, or 2w",
        "/home/a/conf?ig:12: ?]0;evil: unknown option; photogrid --help lists all options",
      ])
  }

  @Test func `the output of --list-keys is a configuration that changes nothing`() {
    let text = KeyMap.standard.lines.joined(separator: "\n")
    #expect(text.contains("key gg = first") && text.contains("key detail = = zoom-actual-size"))

    #expect(file(text).keys == .standard)
    #expect(file(text).errors.isEmpty)
  }

  @Test func `random bytes lead to a limited number of harmless error messages`() {
    var random = SeededGenerator(seed: 3)
    let words = ["key ", "=", "\n", "layout", "gg", "quit", "cell = ", "#", "\u{1B}[2J", "\0"]
      .map { Array($0.utf8) }
    for _ in 0..<500 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        if Bool.random(using: &random) {
          bytes += words.randomElement(using: &random) ?? []
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        }
      }
      let complaints = ConfigurationFile(bytes).errorMessages(for: Array("c".utf8))
      #expect(complaints.count <= 21)
      for scalar in complaints.joined().unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "\(bytes)")
      }
    }
  }

  @Test(arguments: [
    (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/photogrid/config"),
    (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/photogrid/config"),
    (["HOME": "/h"], "/h/.config/photogrid/config"), ([:], nil),
  ])
  func `the default path of the file follows XDG_CONFIG_HOME and HOME`(
    environment: [String: String], path: String?
  ) {
    #expect(ConfigurationFile.standardPath(environment) == path.map { Array($0.utf8) })
  }

  @Test func `a missing file is ignored, and a device or folder is an error`() throws {
    let folder = TemporaryFolder()
    #expect(try ConfigurationFile.read(folder.path("missing/config")) == nil)
    for path in ["/dev/zero", "/"] {
      #expect(throws: OptionError(message: "\(path): is not a file")) {
        try ConfigurationFile.read(Array(path.utf8))
      }
    }
  }
}
