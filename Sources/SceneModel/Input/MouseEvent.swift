import Geometry

/// A press, a release, a movement or a notch of the wheel of the mouse.
package struct MouseEvent: Equatable, Sendable {
  package var kind: Kind
  /// The position of the pointer, in pixels of the picture area.
  package var position: PixelPoint
  package var modifiers: Modifiers

  package init(_ kind: Kind, at position: PixelPoint, modifiers: Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }

  /// Whether a button was pressed.
  package var isPress: Bool { if case .pressed = kind { true } else { false } }

  package enum Kind: Equatable, Sendable {
    case pressed(Button)
    case released(Button)
    /// Movement with the button held.
    case dragged(Button)
    /// Movement with no button held.
    case moved
    /// The wheel turned by a notch.
    case wheel(Wheel)
  }

  package enum Button: Equatable, Sendable { case left, middle, right }

  /// One notch of a wheel.
  package enum Wheel: Equatable, Sendable { case up, down, left, right }

  package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }
}
