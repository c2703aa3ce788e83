/// A key, regardless of the bytes that the terminal sends for it.
package enum Key: Hashable, Sendable {
  /// A key that types a character.
  case character(Character)
  /// A character with the Control key.
  case control(Character)
  /// Keys that end, cancel or remove what is typed.
  case enter, escape, tab, backTab, backspace, delete
  /// Keys that move the selection or the caret.
  case up, down, left, right, home, end, pageUp, pageDown
  /// A function key by its number, from 1.
  case function(Int)
}
