import Geometry
import SceneModel

/// What the program tells the terminal about itself, besides what it draws: the pointer's shape, the
/// progress of long work, and its end.
extension TerminalSession {
  /// Returns the bytes that give the pointer the current shape, on top of the terminal's own.
  func beginPointer() -> [UInt8] {
    let ending = activeFeatures.intersection(.pointer).endBytes
    activeFeatures.insert(.pointer)
    return ending + Self.pointer(">" + pointerShape.rawValue)
  }

  /// Sends a new shape of the pointer to a terminal that has confirmed all shapes.
  func pointerShapeChanged() {
    if activeFeatures.contains(.pointer) { send(Self.pointer(pointerShape.rawValue)) }
  }

  /// OSC 22, with `>` to push a shape.
  private static func pointer(_ shape: String) -> [UInt8] {
    Array("\u{1B}]22;\(shape)\u{1B}\\".utf8)
  }

  /// Sends a change of `progress` (OSC 9;4) to a terminal that shows it in its tab or the task bar.
  ///
  /// Others, such as kitty before 0.47, would show it as a notification.
  func progressChanged() {
    guard showsProgress, isEntered else { return }
    guard let progress else {
      send(activeFeatures.intersection(.progress).endBytes)
      activeFeatures.remove(.progress)
      return
    }
    activeFeatures.insert(.progress)
    send(Array("\u{1B}]9;4;1;\(min(max(progress, 0), 100))\u{1B}\\".utf8))
  }

  /// Shows a notification of the desktop, if the terminal has confirmed that it can (OSC 99), unless
  /// the window has the focus by then.
  ///
  /// - Parameter text: Printable text.
  package func notify(_ text: String) {
    guard isEntered, responses.supportsMode(.notifications) == true else { return }
    let start = "\u{1B}]99;i=photogrid:o=unfocused"
    send(Array("\(start):d=0;photogrid\u{1B}\\\(start):p=body;\(text)\u{1B}\\".utf8))
  }
}
