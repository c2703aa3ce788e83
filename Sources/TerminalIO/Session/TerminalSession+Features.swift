import CTerminalRestore

/// The features of the terminal that are active, besides modes that can be turned off in any terminal.
///
/// They are turned off when the screen is left, and by the handlers of signals and the guard, which are
/// told of them.
struct ActiveFeatures: OptionSet, Sendable {
  let rawValue: Int32

  /// The terminal shows the program's screen.
  static let screen = ActiveFeatures(rawValue: Int32(TERMINAL_RESTORE_SCREEN))
  /// A mode of kitty's keyboard protocol was pushed.
  static let keyboard = ActiveFeatures(rawValue: Int32(TERMINAL_RESTORE_KEYBOARD))
  /// A shape of the pointer was pushed.
  static let pointer = ActiveFeatures(rawValue: Int32(TERMINAL_RESTORE_POINTER))
  /// The progress of work is shown.
  static let progress = ActiveFeatures(rawValue: Int32(TERMINAL_RESTORE_PROGRESS))
  /// Photos can be dragged out, and files dropped.
  static let drags = ActiveFeatures(rawValue: Int32(TERMINAL_RESTORE_DRAGS))

  /// The sequences that turn all of them off, but do not leave the screen.
  var endBytes: [UInt8] {
    (0..<7).flatMap { bit -> [UInt8] in
      let bit = Int32(1) << bit
      guard rawValue & bit != 0, let sequence = terminal_restore_end_sequence(bit) else {
        return []
      }
      return Array(String(cString: sequence).utf8)
    }
  }
}

/// States of the terminal that begin as its responses show that it knows them.
extension TerminalSession {
  /// Returns the bytes that turn on what a terminal is known to support, for a screen that is entered.
  func supportedModesOn() -> [UInt8] {
    var bytes: [UInt8] = []
    if responses.supportsMode(.colorScheme) == true { bytes += ControlBytes.colorSchemeOn }
    if responses.supportsMode(.sizeReports) == true { bytes += ControlBytes.sizeReportsOn }
    if responses.supportsMode(.keyboard) == true { bytes += beginKeyboard() }
    if usesPointerShapes { bytes += beginPointer() }
    return bytes + beginDrags()
  }

  /// Turns on what the terminal has just shown to support.
  func turnOnModes(newSince before: TerminalResponses) {
    guard isEntered else { return }
    func isNew(_ query: TerminalQuery) -> Bool {
      before.supportsMode(query) == nil && responses.supportsMode(query) == true
    }
    if isNew(.colorScheme) { send(ControlBytes.colorSchemeOn) }
    // Another terminal may use the number of the mode for something else, so it is asked first.
    if isNew(.visibility) { send(ControlBytes.visibilityQuery) }
    if isNew(.sizeReports) { send(ControlBytes.sizeReportsOn) }
    if isNew(.keyboard) { send(beginKeyboard()) }
    if isNew(.pointerShapes), usesPointerShapes { send(beginPointer()) }
    if isNew(.dragAndDrop) { send(beginDrags()) }
  }

  private var usesPointerShapes: Bool {
    options.usesMouse && responses.supportsMode(.pointerShapes) == true
  }

  /// Returns the bytes that begin kitty's keyboard protocol, once, even if it is active already.
  private func beginKeyboard() -> [UInt8] {
    let ending = activeFeatures.intersection(.keyboard).endBytes
    activeFeatures.insert(.keyboard)
    return ending + ControlBytes.pushKeyboard
  }

  /// Returns the bytes that begin drag and drop; none if the terminal does not support it.
  func beginDrags() -> [UInt8] {
    guard responses.supportsMode(.dragAndDrop) == true, let machine else { return [] }
    activeFeatures.insert(.drags)
    return ControlBytes.dragsOn(machine: machine)
  }
}
