/// The pane of tmux that a program is in: what tmux passes on to the terminal around it, and the
/// images that this terminal has.
///
/// tmux drops what it should pass on while it has to redraw its window: after the alternate screen or
/// another size, until it has handled all that it has read with a `CSI 5 n` after that.
package struct TmuxPane: Sendable {
  /// Whether the pane is out of sight, so that nothing is passed on.
  package var isHidden = false
  /// The images that the terminal around tmux, or the terminal itself, has.
  package private(set) var images: Set<UInt32> = []
  /// The number of sequences that were dropped.
  package private(set) var dropCount = 0
  private var isRedrawDue = false
  private var hasFence = false
  /// When several placeholders were last read, and anything, in nanoseconds.
  private var (placeholderTime, readTime): (Int64, Int64) = (0, 0)

  /// The time that kitty gathers output before it paints, in nanoseconds.
  private static let paintDelay: Int64 = 10_000_000
  /// The fewest placeholders of an image; tmux writes one again with each of its combining marks.
  private static let minPlaceholders = 8
  /// U+10EEEE.
  private static let placeholder = Array("\u{10EEEE}".utf8)

  /// Whether the images of all placeholders are painted: kitty 0.48 paints them only when its screen
  /// changes after it has read them.
  package var isPainted: Bool { readTime > placeholderTime + Self.paintDelay }

  /// Notes that the window has another size.
  package mutating func resize() { isRedrawDue = true }

  /// Exchanges the terminal around tmux for another one, which has no images.
  package mutating func attach() { images = [] }

  /// Notes that the terminal has handled all that it has read.
  mutating func endRead(_ bytes: [UInt8], at time: Int64) {
    readTime = time
    if bytes.ranges(of: Self.placeholder).count >= Self.minPlaceholders { placeholderTime = time }
    if hasFence { isRedrawDue = false }
    hasFence = false
  }

  /// Passes a sequence on, or drops it.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - isInTmux: Whether the terminal is tmux.
  /// - Returns: The sequence, which may get a response; nil if it was dropped.
  mutating func passed(_ sequence: String, isInTmux: Bool) -> String? {
    if isInTmux, sequence.hasPrefix("\u{1B}[?1049") { isRedrawDue = true }
    if sequence == "\u{1B}[5n" { hasFence = true }
    let isWrapped = sequence.hasPrefix("\u{1B}Ptmux;")
    if isWrapped, isRedrawDue || isHidden {
      dropCount += 1
      return nil
    }
    note(Self.unwrapped(sequence))
    return sequence
  }

  /// Whether a command places an image that the terminal does not have.
  func isLost(_ sequence: String) -> Bool {
    let keys = Self.keys(Self.unwrapped(sequence))
    guard keys["a"] == "p", let image = keys["i"].flatMap({ UInt32($0) }) else { return false }
    return !images.contains(image)
  }

  private mutating func note(_ command: String) {
    let keys = Self.keys(command)
    guard let image = keys["i"].flatMap({ UInt32($0) }) else { return }
    switch keys["a"] {
    // A single pixel without a response takes the place of an image that is freed.
    case "t" where keys["q"] == "2" && keys["s"] == "1" && keys["v"] == "1": images.remove(image)
    case "d": images.remove(image)
    case "t": images.insert(image)
    default: break
    }
  }

  /// A sequence without the wrapper by which tmux passes it on.
  private static func unwrapped(_ sequence: String) -> String {
    let wrapper = "\u{1B}Ptmux;"
    guard sequence.hasPrefix(wrapper) else { return sequence }
    return sequence.dropFirst(wrapper.count).dropLast(2)
      .split(separator: "\u{1B}\u{1B}", omittingEmptySubsequences: false)
      .joined(separator: "\u{1B}")
  }

  /// The keys of a command of kitty's protocol; none if it is another sequence.
  private static func keys(_ command: String) -> [Substring: Substring] {
    guard command.hasPrefix("\u{1B}_G") else { return [:] }
    let sides = command.dropFirst(3).prefix { $0 != ";" && $0 != "\u{1B}" }.split(separator: ",")
      .map { $0.split(separator: "=") }
    return Dictionary(
      sides.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }
}
