import Geometry
import Glibc

/// The window's size, of which both the system and the terminal tell.
extension TerminalSession {
  /// Returns the size of the window now.
  ///
  /// The system may tell of a size later than the terminal, or without pixels, as over SSH; but its
  /// number of cells is right once a terminal has not reported the last change.
  func takeWindow() -> WindowSize {
    let system = device.window()
    guard let (size, isNew) = reportedWindow, isNew || size.cells == system.cells else {
      return system
    }
    reportedWindow?.isNew = false
    return size
  }

  /// Takes the size that the terminal has reported, as if the system had told of it.
  func sizeReported(_ size: WindowSize) {
    reportedWindow = (size, isNew: size != window)
    if size != window { pendingSignals.append(SIGWINCH) }
  }
}

extension WindowSize {
  /// Parses the report of a size, `48;24;80;480;800t`: rows, columns, height, and width in pixels;
  /// returns nil if a reply is about something else, or the size is none.
  init?(report: TerminalReply) {
    guard report.kind == .control, report.body.hasPrefix("48;"), report.body.last == "t" else {
      return nil
    }
    // A terminal may add subparameters to each number.
    let fields = report.body.dropLast().split(separator: ";", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { field in
      let digits = field.prefix { $0 != ":" }
      return digits.utf8.count <= 7 && !digits.hasPrefix("+") ? Int(digits) : nil
    }
    guard fields.count == 5, numbers.count == 5, numbers.allSatisfy({ $0 >= 0 }),
      numbers[1] > 0, numbers[2] > 0
    else { return nil }
    self.init(
      cells: CellSize(columns: numbers[2], rows: numbers[1]),
      pixels: PixelSize(width: Double(numbers[4]), height: Double(numbers[3])))
  }
}
