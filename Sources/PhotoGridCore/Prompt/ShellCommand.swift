import Photos

/// A command line for the shell, and the photos that it is run on.
package struct ShellCommand: Equatable, Sendable {
  /// The command line, with `"$@"` added if necessary, but without a leading `|`.
  package var line: String
  package var photos: [Photo.ID]
  /// The way the command receives the photos' names.
  package var input: Input

  /// A way to pass the photos' names to a command.
  package enum Input: Equatable, Sendable {
    case arguments
    /// On standard input, each followed by the separator of the program's own input: a newline, or
    /// NUL.
    case standardInput
  }

  /// Creates the command typed after `!`; nil if the text is empty.
  ///
  /// After a leading `|`, the command receives the names on standard input. Otherwise they are its
  /// arguments: if it does not refer to them by `$@`, `$*` or `$1`, `"$@"` is added at its end.
  package init?(typed: String, photos: [Photo.ID]) {
    let text = typed.drop { $0 == " " }
    let isInput = text.first == "|"
    var line = String(isInput ? text.dropFirst() : text)
    while line.last == " " { line.removeLast() }
    guard line.contains(where: { $0 != " " }) else { return nil }
    if !isInput, !Self.namesArguments(line) {
      // The arguments of a background command precede its `&`.
      let isBackground = line.hasSuffix("&") && !line.hasSuffix("&&")
      line = isBackground ? "\(line.dropLast()) \"$@\" &" : "\(line) \"$@\""
    }
    (self.line, self.photos) = (line, photos)
    input = isInput ? .standardInput : .arguments
  }

  /// Whether a command line refers to its arguments by `$@`, `$*` or `$1` to `$9`, also in braces;
  /// between single quotes, `$` stands for itself.
  private static func namesArguments(_ line: String) -> Bool {
    var rest = line.unicodeScalars[...]
    // In double quotes, a single quote begins nothing.
    var isInDoubleQuotes = false
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": _ = rest.popFirst()
      case "\"": isInDoubleQuotes.toggle()
      case "'" where !isInDoubleQuotes: rest = rest.drop { $0 != "'" }.dropFirst()
      case "$":
        guard let next = rest.first(where: { $0 != "{" }) else { return false }
        if next == "@" || next == "*" || ("1"..."9").contains(next) { return true }
      default: break
      }
    }
    return false
  }
}
