/// A key as a person means it, whatever bytes the terminal sent.
package enum Key: Hashable, Sendable {
  case character(Character)
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

/// Something the mouse did, in pixels of the picture area.
package struct MouseEvent: Equatable, Sendable {
  package var kind: Kind
  package var position: PixelPoint
  package var modifiers: Modifiers

  /// A mouse event at a place.
  package init(_ kind: Kind, at position: PixelPoint, modifiers: Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }

  /// What happened.
  package enum Kind: Equatable, Sendable {
    case pressed(Button)
    case released(Button)
    /// Movement with the button held.
    case dragged(Button)
    /// Movement with no button held.
    case moved
    case wheel(Wheel)
  }

  /// A button that can be held.
  package enum Button: Equatable, Sendable { case left, middle, right }

  /// One notch of a wheel.
  package enum Wheel: Equatable, Sendable { case up, down, left, right }

  /// Keys held meanwhile.
  package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int

    /// The set with the given bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }
}
