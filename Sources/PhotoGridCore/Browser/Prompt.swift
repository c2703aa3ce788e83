/// A line that is being typed in the bar, and what it is for.
package struct Prompt: Equatable, Sendable {
  package let kind: Kind
  package internal(set) var line: LineEditor
  /// Why the line, as it is, means nothing.
  package internal(set) var complaint: String?
  /// How the line may go on, after Tab.
  package internal(set) var hint: String?
  /// What is worth knowing of the line as it is.
  package internal(set) var note: String?
  /// Whether the line was warned about, so that Enter goes on all the same.
  var isWarned = false
  /// What Esc returns to.
  let origin: Origin

  /// What is asked for.
  package enum Kind: Hashable, Sendable {
    /// What to go to.
    case find
    /// What to show.
    case filter
    /// What to run on the photos.
    case command
    /// How to call a photo's file.
    case rename
  }

  /// How things were when the prompt opened.
  struct Origin: Equatable, Sendable {
    /// What was selected, a photo or a folder.
    var photo: Photo.ID?
    /// How far the grid was scrolled, in pixels.
    var scroll = 0.0
    var filter: Filter?
    var finding: Finding?
    /// The name that is to be changed.
    var name: String?
  }

  /// What stands before the line.
  package var label: String {
    switch kind {
    case .find: "/"
    case .filter: "filter: "
    case .command: "!"
    case .rename: "name: "
    }
  }
}

/// What is looked for, and where it is.
struct Finding: Equatable, Sendable {
  let filter: Filter
  /// The places of the photos that match among those shown, in order.
  var matches: [Int] = []
  /// The photos of which nobody can tell until their files were looked at.
  var unknown: [Photo.ID] = []
  /// Whether something became known since that may make more of them match.
  var isStale = false

  /// How many matches there are up to a place, itself included.
  func rank(of place: Int) -> Int {
    var (low, high) = (0, matches.count)
    while low < high {
      let middle = (low + high) / 2
      if matches[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The match that comes some steps after a place, or before it, going on at the other end.
  func match(_ steps: Int, from place: Int) -> Int? {
    guard !matches.isEmpty else { return nil }
    let rank = rank(of: place)
    // Between two matches, the one after is a step forward, the one before a step back.
    let isMatch = rank > 0 && matches[rank - 1] == place
    let present = steps > 0 || isMatch ? rank - 1 : rank
    let count = matches.count
    return matches[((present + steps) % count + count) % count]
  }
}

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
