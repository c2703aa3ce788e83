import Geometry

/// The options and operands of a command line, whose values have not been checked.
struct ParsedArguments: Equatable {
  /// The values of options; empty for switches.
  var values: [OptionName: [UInt8]] = [:]
  /// Switches that were turned off; the environment and the configuration do not turn them on.
  var switchedOff: Set<OptionName> = []
  var operands: [[UInt8]] = []

  init() {}

  /// Parses arguments as `getopt_long` does: options anywhere, unambiguous prefixes,
  /// `--name=value`, grouped short options, and `--` before operands.
  ///
  /// - Throws: `OptionError` with the option's name.
  init(_ arguments: [[UInt8]]) throws(OptionError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        operands += rest
        return
      }
      if argument.starts(with: "--".utf8) {
        try parseLong(argument.dropFirst(2), &rest)
      } else if argument.count > 1, argument.first == UInt8(ascii: "-") {
        try parseShort(argument.dropFirst(), &rest)
      } else {
        operands.append(argument)
      }
    }
  }

  private mutating func parseLong(
    _ text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>
  ) throws(OptionError) {
    let parts = text.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let (entry, isNegated) = try Self.entry(PrintableArgument.text(parts[0]))
    let value = parts.count > 1 ? Array(parts[1]) : nil
    if entry.value != nil {
      if let value {
        values[entry.name] = value
      } else {
        values[entry.name] = try Self.next(&rest, for: entry)
      }
    } else if isNegated {
      guard value == nil else {
        throw OptionError(message: "--no-\(entry.name.rawValue): takes no value")
      }
      turn(entry.name, on: false)
    } else if let value {
      try turn(entry.name, by: value, from: "--\(entry.name.rawValue)")
    } else {
      turn(entry.name, on: true)
    }
  }

  /// Returns the option of a long name, or of an unambiguous prefix; `no-` before a lasting switch
  /// turns it off.
  private static func entry(
    _ name: String
  ) throws(OptionError) -> (entry: OptionEntry, isNegated: Bool) {
    let candidates =
      OptionEntry.all.map { ($0.name.rawValue, $0, false) }
      + OptionEntry.all.filter(\.hasNegation).map { ("no-" + $0.name.rawValue, $0, true) }
    let matches = candidates.filter { $0.0.hasPrefix(name) }
    guard let match = matches.first(where: { $0.0 == name }) ?? matches.first else {
      throw OptionError(message: "--\(name): unknown option; --help lists all options")
    }
    guard match.0 == name || matches.count == 1 else {
      let names = matches.map { "--\($0.0)" }.joined(separator: ", ")
      throw OptionError(message: "--\(name): ambiguous: \(names)")
    }
    return (match.1, match.2)
  }

  /// Turns a switch on or off, overriding an earlier use of it on the command line.
  private mutating func turn(_ name: OptionName, on isOn: Bool) {
    values[name] = isOn ? [] : nil
    if isOn { switchedOff.remove(name) } else { switchedOff.insert(name) }
  }

  /// Turns a switch on or off by a word, such as "yes".
  ///
  /// - `place`: The option or variable that contains the word, for the message.
  /// - Throws: `OptionError` if the word is none of `SwitchWord.all`.
  mutating func turn(
    _ name: OptionName, by word: [UInt8], from source: String
  ) throws(OptionError) {
    guard let isOn = SwitchWord.meaning(of: word) else {
      throw OptionError(
        message: "\(source): '\(PrintableArgument.text(word))' is not one of \(SwitchWord.list)")
    }
    turn(name, on: isOn)
  }

  private mutating func parseShort(
    _ text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>
  ) throws(OptionError) {
    var letters = text
    while let letter = letters.popFirst() {
      let character = Character(UnicodeScalar(letter))
      guard let entry = OptionEntry.all.first(where: { $0.short == character }) else {
        let name = PrintableArgument.text([letter])
        throw OptionError(message: "-\(name): unknown option; --help lists all options")
      }
      guard entry.value != nil else {
        turn(entry.name, on: true)
        continue
      }
      values[entry.name] = letters.isEmpty ? try Self.next(&rest, for: entry) : Array(letters)
      return
    }
  }

  /// Removes and returns the next argument, which is the value of an option.
  private static func next(
    _ rest: inout ArraySlice<[UInt8]>, for entry: OptionEntry
  ) throws(OptionError) -> [UInt8] {
    guard let value = rest.popFirst() else {
      throw OptionError(message: "--\(entry.name.rawValue): needs a value: \(entry.value ?? "")")
    }
    return value
  }

  /// Merges the options of a configuration file that are not set yet.
  mutating func merge(_ file: ConfigurationFile) {
    values.merge(file.values.filter { !switchedOff.contains($0.key) }) { mine, _ in mine }
  }

  /// Turns on words in place of pictures if the environment asks for it, or the terminal shows nothing
  /// else.
  mutating func addAccessibility(_ environment: [String: String]) {
    let wish = environment["ACCESSIBLE"].flatMap { SwitchWord.meaning(of: Array($0.utf8)) } ?? false
    guard wish || environment["TERM"] == "dumb", !switchedOff.contains(.accessible) else { return }
    values[.accessible] = values[.accessible] ?? []
  }

  /// Adds the options of environment variables (`PHOTOGRID_MOTION`) that are not set yet.
  ///
  /// - Throws: `OptionError` for a switch whose value is neither on nor off.
  mutating func addEnvironment(_ environment: [String: String]) throws(OptionError) {
    for entry in OptionEntry.all {
      let variable =
        "PHOTOGRID_"
        + entry.name.rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
      guard values[entry.name] == nil, !switchedOff.contains(entry.name),
        let value = environment[variable], !value.isEmpty
      else { continue }
      if entry.value != nil {
        values[entry.name] = Array(value.utf8)
      } else {
        try turn(entry.name, by: Array(value.utf8), from: variable)
      }
    }
  }
}
