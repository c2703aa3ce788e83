/// The arguments of a benchmark, as its line of usage names them: `FOLDER` is needed, `[COUNT]` is not, `COUNT...` may
/// be several, `[keywords]` is given or not, `[--only PART]` is an option, and `OPTION...` are those of the program.
struct Arguments {
  /// All words that are neither options nor flags.
  private(set) var all: [String] = []
  private var flags: Set<String> = []
  private var options: [String: [String]] = [:]

  /// Sorts the words of a command line by a line of usage.
  init(_ line: [String], usage: String) throws {
    let tokens = usage.split(separator: " ")
    let needed = tokens.count { $0.first?.isUppercase == true && !$0.hasSuffix("]") }
    var rest = line[...]
    while let word = rest.popFirst() {
      if usage.contains("[\(word) "), let value = rest.popFirst() {
        options[word, default: []].append(value)
      } else if tokens.contains("[\(word)]") {
        flags.insert(word)
      } else if !word.hasPrefix("--") || usage.contains("OPTION") {
        all.append(word)
      } else {
        throw UsageError("\(word): the arguments are: \(usage)")
      }
    }
    guard all.count >= needed, all.count <= tokens.count || usage.contains("...") else {
      throw UsageError("the arguments are: \(usage)")
    }
  }

  subscript(place: Int) -> String? { all.indices.contains(place) ? all[place] : nil }

  /// Whether a word was given, such as `--short`.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func values(_ option: String) -> [String] { options[option] ?? [] }

  /// The number at a place, or the usual one.
  func number(_ place: Int, usually usual: Double = 1) throws -> Double {
    guard let word = self[place] else { return usual }
    guard let number = Double(word), number > 0 else {
      throw UsageError("'\(word)' is not a number above 0")
    }
    return number
  }

  func count(_ place: Int, usually usual: Int) throws -> Int {
    Int(try number(place, usually: Double(usual)))
  }
}

/// What keeps a benchmark from measuring.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ message: String) { description = message }
}
