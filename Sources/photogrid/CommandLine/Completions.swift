/// The shells with a completion script, which is generated from the table of options.
enum Completions: String, CaseIterable {
  case bash, zsh, fish

  var script: String {
    switch self {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The kind of words that complete a value.
  private enum Value {
    case none, choice([String]), file, other
  }

  /// Returns the kind of words that complete an option's value.
  private func value(of entry: OptionEntry) -> Value {
    guard let value = entry.value else { return .none }
    if value.contains("|"), !value.contains(where: \.isUppercase) {
      return .choice(value.split(separator: "|").map(String.init))
    }
    return value == "FILE" || value.hasSuffix("PATH") ? .file : .other
  }

  /// Returns a text with a backslash before each character that is in `special`.
  private static func escaped(_ text: String, _ special: String) -> String {
    var result = ""
    for character in text {
      result += special.contains(character) ? "\\\(character)" : "\(character)"
    }
    return result
  }

  /// Returns the long form of an option, and its short form if it has one.
  private func names(of entry: OptionEntry) -> [String] {
    ["--\(entry.name.rawValue)"] + (entry.short.map { ["-\($0)"] } ?? [])
  }

  private var bash: String {
    let cases = OptionEntry.all.compactMap { entry -> String? in
      let pattern = names(of: entry).joined(separator: "|")
      switch value(of: entry) {
      case .none: return nil
      case .choice(let words):
        return "    \(pattern)) _photogrid_reply -W '\(words.joined(separator: " "))'; return ;;"
      case .file: return "    \(pattern)) compopt -o filenames; _photogrid_reply -f; return ;;"
      case .other: return "    \(pattern)) return ;;"
      }
    }
    let all = OptionEntry.all.map { "--\($0.name.rawValue)" }.joined(separator: " ")
    return """
      # Bash completions for photogrid.
      _photogrid_reply() { mapfile -t COMPREPLY < <(compgen "$@" -- "$current"); }
      _photogrid() {
        local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
        # "--layout=gr" arrives as three words.
        if [ "$current" = = ]; then current=
        elif [ "$option" = = ]; then option=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        case $option in
      \(cases.joined(separator: "\n"))
        esac
        if [[ $current == -* ]]; then _photogrid_reply -W '\(all)'; return; fi
        compopt -o filenames
        _photogrid_reply -f
      }
      complete -F _photogrid photogrid

      """
  }

  private var zsh: String {
    let arguments = OptionEntry.all.map { entry -> String in
      let long = "--\(entry.name.rawValue)"
      let help = Self.escaped(entry.help, "[]:\\")
      let action: String
      switch value(of: entry) {
      case .none: action = ""
      case .choice(let words): action = ":value:(\(words.joined(separator: " ")))"
      case .file: action = ":file:_files"
      case .other: action = ":value:"
      }
      let text = "[\(help)]\(action)".split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''")
      let suffix = entry.value == nil ? "" : "="
      guard let short = entry.short else { return "  '\(long)\(suffix)\(text)'" }
      let shortSuffix = entry.value == nil ? "" : "+"
      return "  '(-\(short) \(long))'{-\(short)\(shortSuffix),\(long)\(suffix)}'\(text)'"
    }
    return """
      #compdef photogrid
      # Zsh completions for photogrid.
      _arguments -s -S \\
      \(arguments.map { $0 + " \\" }.joined(separator: "\n"))
        '*:photo or folder:_files'

      """
  }

  private var fish: String {
    let lines = OptionEntry.all.map { entry -> String in
      let short = entry.short.map { " -s \($0)" } ?? ""
      let action: String
      switch value(of: entry) {
      case .none: action = ""
      case .choice(let words): action = " -x -a '\(words.joined(separator: " "))'"
      case .file: action = " -r -F"
      case .other: action = " -x"
      }
      let help = Self.escaped(entry.help, "'\\")
      return "complete -c photogrid -l \(entry.name.rawValue)\(short)\(action) -d '\(help)'"
    }
    return "# Fish completions for photogrid.\n" + lines.joined(separator: "\n") + "\n"
  }
}
