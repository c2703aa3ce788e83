/// The shape of the mouse pointer over the window; the raw value is its name in CSS.
package enum PointerShape: String, CaseIterable, Sendable {
  /// The terminal's own.
  case standard = "default"
  /// A hand: a press selects or opens something.
  case pointer
  /// A press closes the open photo, which shrinks into its tile.
  case zoomOut = "zoom-out"
  /// A photo can be dragged.
  case grab
  /// A photo is in the hand.
  case grabbing
  /// Text is typed.
  case text
}
