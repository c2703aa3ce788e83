import Geometry
import Photos
import SceneRendering
import TestSupport
import Testing

@testable import photogrid

private func parse(_ words: String..., environment: [String: String] = [:]) throws -> Configuration
{
  var arguments = try ParsedArguments(words.map { Array($0.utf8) })
  try arguments.addEnvironment(environment)
  return try Configuration(arguments)
}

struct OptionTests {
  @Test func `without options the current folder is browsed`() throws {
    let configuration = try parse()

    #expect(configuration.mode == .browse)
    #expect(configuration.input.paths.isEmpty)
    #expect(configuration.view.layout.columns == GridColumns([.adaptive(minimum: 18)]))
  }

  @Test func `photos are filtered, sorted and printed`() throws {
    let configuration = try parse(
      "--filter", "été -\"two words\"", "--sort=date", "--reverse", "-o0")

    #expect(configuration.view.filter == (try Filter(parsing: "été -\"two words\"")))
    #expect(configuration.view.order == SortOrder(by: .taken, isReversed: true))
    #expect(configuration.printsMarks && configuration.input.separator == 0)
    #expect(try parse("--reverse").view.order == SortOrder(by: .listed, isReversed: true))
    #expect(try parse("--filter", " ").view.filter?.isEmpty == true)
    #expect(try parse(environment: ["PHOTOGRID_SORT": "size"]).view.order == SortOrder(by: .size))
  }

  @Test func `the program that opens files can be chosen, and file changes switched off`() throws {
    let configuration = try parse("--open-with", "gimp -n", "--read-only")
    #expect(configuration.session.openWith == "gimp -n" && configuration.session.isReadOnly)
    #expect(try parse().session.openWith == nil && !(try parse().session.isReadOnly))
    #expect(try parse(environment: ["PHOTOGRID_OPEN_WITH": "feh"]).session.openWith == "feh")
    #expect(throws: OptionError(message: "--open-with: ' ' needs a program")) {
      try parse("--open-with", " ")
    }
  }

  @Test func `pairs are joined unless they are switched off`() throws {
    #expect(try parse().view.joinsPairs && parse("--pairs", "on").view.joinsPairs)
    #expect(try !parse("--pairs=off").view.joinsPairs)
    #expect(try !parse(environment: ["PHOTOGRID_PAIRS": "0"]).view.joinsPairs)
    #expect(try parse("--group", "rating").view.grouping == .rating)
    #expect(
      throws: OptionError(
        message: "--pairs: 'raw' is not one of on, off, yes, no, true, false, 1, 0")
    ) { try parse("--pairs", "raw") }
  }

  @Test func `options are parsed as by getopt_long`() throws {
    let configuration = try parse(
      "a", "-rn5", "--symbols=half", "--mot", "slow", "-g", "100x40", "b", "--", "-r")

    #expect(configuration.input.isRecursive)
    #expect(configuration.view.start == .number(5))
    #expect(configuration.drawing.glyphs == .half)
    #expect(configuration.session.motion == .slow)
    #expect(configuration.view.geometry == CellSize(columns: 100, rows: 40))
    #expect(
      configuration.input.paths.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "-r"])
  }

  @Test(arguments: [
    (["--nonsense"], "--nonsense: unknown option; --help lists all options"),
    (["-y"], "-y: unknown option; --help lists all options"),
    (["--co", "full"], "--co: ambiguous: --columns, --colors, --config, --completions"),
    (["--print=maybe"], "--print: 'maybe' is not one of on, off, yes, no, true, false, 1, 0"),
    (["--no-labels=1"], "--no-labels: takes no value"),
    (["--no-r"], "--no-r: ambiguous: --no-recursive, --no-reverse, --no-read-only"),
    (["--no-print"], "--no-print: unknown option; --help lists all options"),
    (["--cell"], "--cell: needs a value: N"),
    (["--cell", "0"], "--cell: '0' is not a number from 1 to 500"),
    (
      ["--columns", "wide(1)"],
      "--columns: 'wide(1)' is not valid: 'wide' is not fixed, flexible, or adaptive in 'wide(1)'"
    ),
    (
      ["--columns", "flexible(9,3)"],
      "--columns: 'flexible(9,3)' is not valid: the minimum width is larger than the maximum in 'flexible(9,3)'"
    ),
    (
      ["--columns", "fixed(-1)"],
      "--columns: 'fixed(-1)' is not valid: '-1' must be a width from 0 to 10000 in 'fixed(-1)'"
    ),
    (
      ["--columns", "0"],
      "--columns: '0' is not valid: the number of columns is not between 1 and 1000 in '0'"
    ),
    (
      ["--columns", ""],
      "--columns: '' is not valid: no columns given; try 3, adaptive(24), or fixed(20) flexible(10,40)"
    ),
    (
      ["--sort", "color"],
      "--sort: 'color' is not one of name, date, mtime, size, length, rating, similar, random"
    ),
    (
      ["--filter", "cat date:99"],
      "--filter: 'cat date:99' at character 10: '99' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"
    ),
    (
      ["--layout", "pile"],
      "--layout: 'pile' is not one of grid, mosaic, bento, bento(PATTERN), rows"
    ),
    (
      ["--layout", "bento((1,)"],
      "--layout: 'bento((1,)' at character 10: a comma needs a tile on both sides"
    ),
    (["--motion", "fast"], "--motion: 'fast' is not one of full, slow, reduced, none"),
    (["-g", "80"], "--geometry: '80' is not a size like 80x24"),
    (
      ["--symbols", "\u{1B}[31m"],
      "--symbols: '?[31m' is not one of half, quadrant, sextant, octant, ascii"
    ),
    (["-i", "x"], "names are already being read from a list; omit the paths"),
  ])
  func `an error is a sentence that names the option`(words: [String], message: String) {
    #expect(throws: OptionError(message: message)) {
      _ = try Configuration(ParsedArguments(words.map { Array($0.utf8) }))
    }
  }

  @Test(arguments: [
    (["--rate", "5", "--json", "a.jpg"], "--rate: cannot be combined with --json"),
    (["--print", "--rate", "5", "a.jpg"], "--rate: cannot be combined with --print"),
    (["--json", "--all"], "--all: cannot be combined with --json"),
    (["--completions", "zsh", "--json"], "--completions: cannot be combined with --json"),
    (["--rate", "5", "--all", "a.jpg"], "--rate: cannot be combined with --all"),
    (["--rate", "5", "--update-cache", "a.jpg"], "--update-cache: cannot be combined with --rate"),
  ])
  func `two tasks of which only one would be done are an error`(words: [String], message: String) {
    #expect(throws: OptionError(message: message)) {
      _ = try Configuration(ParsedArguments(words.map { Array($0.utf8) }))
    }
  }

  @Test func `help and other reports are given whatever else is asked for`() throws {
    #expect(try parse("--json").mode == .printFacts)
    #expect(try parse("--print", "--json").mode == .printFacts)
    #expect(try parse("--json", "--all", "--version").mode == .version)
    #expect(try parse("--help", "--version", "--rate", "5").mode == .help)
  }

  @Test func `memory is in megabytes, and thumbnails are stored by default`() throws {
    let plain = try parse()
    #expect(plain.memoryBudget == 256 << 20 && plain.keepsThumbnails)

    let told = try parse("--memory", "3", "-p")
    #expect(told.memoryBudget == 3 << 20 && !told.keepsThumbnails)
    #expect(try parse("--update-cache").mode == .updateCache)
    #expect(throws: OptionError(message: "--memory: '0' is not a number from 1 to 1000000")) {
      try parse("--memory=0")
    }
    #expect(throws: OptionError(message: "--update-cache: cannot be combined with --private")) {
      try parse("--update-cache", "--private")
    }
  }

  @Test func `the environment applies to options that the command line does not set`() throws {
    let environment = [
      "PHOTOGRID_SYMBOLS": "octant", "PHOTOGRID_MAX_DEPTH": "3", "PHOTOGRID_LABELS": "1",
    ]
    let configuration = try parse("--symbols", "half", environment: environment)

    #expect(configuration.drawing.glyphs == .half)
    #expect(configuration.input.maxDepth == 3)
    #expect(configuration.view.layout.hasLabels)
  }

  @Test(arguments: SwitchWord.all)
  func `a switch is turned on and off by on, off, yes, no, true, false, 1, 0`(
    word: String, isOn: Bool
  ) throws {
    let variable = ["PHOTOGRID_LABELS": word]
    #expect(try parse("--labels=\(word)").view.layout.hasLabels == isOn)
    #expect(try parse(environment: variable).view.layout.hasLabels == isOn)
    // The command line takes precedence, and its last word counts.
    #expect(try parse("--labels", environment: variable).view.layout.hasLabels)
    #expect(!(try parse("--no-labels", environment: variable).view.layout.hasLabels))
    #expect(try parse("--no-labels", "--labels=\(word)").view.layout.hasLabels == isOn)
  }

  @Test func `a switch in the environment that is neither on nor off is an error`() {
    #expect(
      throws: OptionError(
        message: "PHOTOGRID_LABELS: 'perhaps' is not one of on, off, yes, no, true, false, 1, 0")
    ) { try parse(environment: ["PHOTOGRID_LABELS": "perhaps"]) }
  }

  @Test func `an adaptive column of --columns equals the same minimum given by --cell`() throws {
    #expect(try parse("--columns", "adaptive(30)").view.layout == parse("--cell", "30").view.layout)
  }

  @Test func `names that are not UTF-8 are unchanged`() throws {
    let name: [UInt8] = [0x66, 0xFF, 0xFE]

    #expect(try Configuration(ParsedArguments([name])).input.paths == [name])
  }
}

struct FactLineTests {
  @Test func `the facts of a photo are a line of JSON in ASCII`() {
    var info = PhotoInfo(
      size: PixelSize(width: 4000, height: 3000), orientation: 6, format: .jpeg, byteCount: 10,
      modified: 0, taken: "2024-05-01T12:30:00", isIncomplete: false)
    var metadata = PhotoMetadata()
    metadata.camera = "Canon \"R5\""
    (metadata.sensitivity, metadata.aperture, metadata.exposureTime) = (800, 2.8, 0.004)
    metadata.location = PhotoMetadata.Location(latitude: 46.5, longitude: -7.25)
    info.metadata = metadata
    let line = FactLine(
      path: Array("a\"\u{1B}é.jpg".utf8), info: info,
      date: PhotoDate(TakenTime(digits: 2024_0501_123000), from: .metadata), failure: nil,
      frame: PixelRect(x: 0, y: 200.5, width: 191, height: 191))

    #expect(
      line.text
        == #"{"path":"a\"\u001b\u00e9.jpg","width":4000,"height":3000,"format":"jpeg","taken":"2024-05-01T12:30:00","taken_from":"exif","orientation":6,"bytes":10,"modified":"1970-01-01T00:00:00Z","duration":null,"camera":"Canon \"R5\"","lens":null,"iso":800,"aperture":2.8,"focal_length":null,"exposure":0.004,"latitude":46.5,"longitude":-7.25,"title":null,"caption":null,"keywords":[],"people":[],"rating":0,"label":null,"frame":{"x":0,"y":200.5,"width":191,"height":191},"pair":null,"film":null,"stack":null,"section":null}"#
    )
  }

  @Test func `a photo that cannot be shown has an error instead`() {
    let line = FactLine(
      path: Array("x.jpg".utf8), info: nil, failure: "not an image", frame: .unit)

    #expect(
      line.text
        == #"{"path":"x.jpg","error":"not an image","frame":{"x":0,"y":0,"width":1,"height":1},"pair":null,"film":null,"stack":null,"section":null}"#
    )
  }
}
