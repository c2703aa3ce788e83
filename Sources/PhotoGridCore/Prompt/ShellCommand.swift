/// A command line for the shell, and the photos that it is about.
package struct ShellCommand: Equatable, Sendable {
  /// As it was typed, without what says where the names go.
  package var line: String
  package var photos: [Photo.ID]
  package var input: Input

  /// How the command gets the photos' names.
  package enum Input: Equatable, Sendable {
    /// As `"$@"`.
    case arguments
    /// On standard input, each ended as names are that are read.
    case standardInput
  }

  /// The command that was typed behind `!`; nil where there is none.
  ///
  /// Behind a leading `|` it gets the names on standard input. Otherwise they are its arguments:
  /// where it does not say itself where they go, by `$@`, `$*` or `$1`, they are added at its end.
  package init?(typed: String, photos: [Photo.ID]) {
    let text = typed.drop { $0 == " " }
    let isInput = text.first == "|"
    var line = String(isInput ? text.dropFirst() : text)
    while line.last == " " { line.removeLast() }
    guard line.contains(where: { $0 != " " }) else { return nil }
    if !isInput, !Self.namesArguments(line) {
      // What runs in the background has its arguments before the sign for that.
      let isBackground = line.hasSuffix("&") && !line.hasSuffix("&&")
      line = isBackground ? "\(line.dropLast()) \"$@\" &" : "\(line) \"$@\""
    }
    (self.line, self.photos) = (line, photos)
    input = isInput ? .standardInput : .arguments
  }

  private static func namesArguments(_ line: String) -> Bool {
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\" {
        _ = rest.popFirst()
      } else if scalar == "$", let next = rest.first(where: { $0 != "{" }),
        next == "@" || next == "*" || ("1"..."9").contains(next)
      {
        return true
      }
    }
    return false
  }
}
