/// The view that the browser shows, and that receives its events.
///
/// While a photo flies to its tile, the grid already receives the keys. Impossible states, such as
/// a prompt in a slideshow, cannot be represented.
enum Mode: Equatable, Sendable {
  /// The grid, and the photos that fly to its tiles, if any.
  case grid(closing: Closing?, Modal?)
  /// A photo in full screen, or moving there.
  case viewer(Viewer, Modal?)
  /// Photos in full screen that advance automatically.
  case slideshow(Viewer, Slideshow)
  /// A grid of months or years.
  case periods(PeriodGrid, Modal?)
  /// Photos side by side, or moving there.
  case comparison(Comparison, Modal?)

  /// The photos that fly to their tiles while the grid already receives the keys.
  enum Closing: Equatable, Sendable {
    /// The photo that was open.
    case viewer(Viewer)
    /// The photos that were compared.
    case comparison(Comparison)
  }

  /// A prompt, the help, the palette or a question, which receives the keys before the view behind it.
  enum Modal: Equatable, Sendable {
    /// A line that the user types in the bar.
    case prompt(Prompt)
    /// The help.
    case help(Help)
    /// The prompt for commands.
    case palette(Palette)
    /// A question before photos go to the trash.
    case confirmation(Confirmation)

    /// Whether the mouse does not reach the view behind it; a press closes it.
    var isMouseBlocking: Bool {
      switch self {
      case .help, .palette: true
      case .prompt, .confirmation: false
      }
    }
  }

  /// The open photo, in any phase.
  ///
  /// A slideshow ends when its photo closes.
  var viewer: Viewer? {
    get {
      switch self {
      case .grid(.viewer(let viewer), _), .viewer(let viewer, _), .slideshow(let viewer, _): viewer
      case .grid, .periods, .comparison: nil
      }
    }
    set {
      guard let newValue, !newValue.isClosing else {
        if viewer == nil, newValue == nil { return }
        self = .grid(closing: newValue.map { .viewer($0) }, modal)
        return
      }
      switch self {
      case .grid(_, let modal), .viewer(_, let modal), .periods(_, let modal),
        .comparison(_, let modal):
        self = .viewer(newValue, modal)
      case .slideshow(_, let slideshow): self = .slideshow(newValue, slideshow)
      }
    }
  }

  /// The modal that receives the keys first; opening one ends a slideshow.
  var modal: Modal? {
    get {
      switch self {
      case .grid(_, let modal), .viewer(_, let modal), .periods(_, let modal),
        .comparison(_, let modal):
        modal
      case .slideshow: nil
      }
    }
    set {
      switch self {
      case .grid(let closing, _): self = .grid(closing: closing, newValue)
      case .viewer(let viewer, _): self = .viewer(viewer, newValue)
      case .periods(let periods, _): self = .periods(periods, newValue)
      case .comparison(let comparison, _): self = .comparison(comparison, newValue)
      case .slideshow(let viewer, _): if newValue != nil { self = .viewer(viewer, newValue) }
      }
    }
  }

  /// The running slideshow; nil if there is none.
  var slideshow: Slideshow? {
    if case .slideshow(_, let slideshow) = self { slideshow } else { nil }
  }

  /// Starts a slideshow with the open photo, or replaces the state of the running one; does nothing
  /// in the grid.
  mutating func show(_ slideshow: Slideshow) {
    switch self {
    case .grid, .periods, .comparison: break
    case .viewer(let viewer, _), .slideshow(let viewer, _):
      self = .slideshow(viewer, slideshow)
    }
  }

  /// Changes the running slideshow in place.
  mutating func updateSlideshow(_ change: (inout Slideshow) -> Void) {
    guard case .slideshow(let viewer, var slideshow) = self else { return }
    // A second reference would make every change copy the set of failed photos.
    self = .viewer(viewer, nil)
    change(&slideshow)
    self = .slideshow(viewer, slideshow)
  }

  /// The grid of months or years; nil if the photos are shown.
  var periods: PeriodGrid? {
    if case .periods(let periods, _) = self { periods } else { nil }
  }

  /// Changes the grid of months or years in place; does nothing if the photos are shown.
  mutating func updatePeriods(_ change: (inout PeriodGrid) -> Void) {
    guard case .periods(var periods, let modal) = self else { return }
    self = .grid(closing: nil, nil)
    change(&periods)
    self = .periods(periods, modal)
  }

  /// The compared photos, in any phase; nil if none are compared.
  var comparison: Comparison? {
    get {
      switch self {
      case .comparison(let comparison, _), .grid(.comparison(let comparison), _): comparison
      case .grid, .viewer, .slideshow, .periods: nil
      }
    }
    set {
      guard let newValue else {
        if comparison != nil { self = .grid(closing: nil, modal) }
        return
      }
      self =
        newValue.isClosing
        ? .grid(closing: .comparison(newValue), modal) : .comparison(newValue, modal)
    }
  }

  /// Ends the slideshow; its photo stays on the screen.
  mutating func endSlideshow() {
    if case .slideshow(let viewer, _) = self { self = .viewer(viewer, nil) }
  }
}

extension Browser {
  /// The open photo, in any phase; nil if there is none.
  package internal(set) var viewer: Viewer? {
    get { mode.viewer }
    set { mode.viewer = newValue }
  }

  /// The running slideshow; nil if there is none.
  package var slideshow: Slideshow? { mode.slideshow }

  /// The open prompt; nil if there is none.
  package var prompt: Prompt? {
    if case .prompt(let prompt)? = mode.modal { prompt } else { nil }
  }

  /// The open help; nil if it is closed.
  package var help: Help? {
    if case .help(let help)? = mode.modal { help } else { nil }
  }

  /// The open prompt for commands; nil if it is closed.
  package var palette: Palette? {
    if case .palette(let palette)? = mode.modal { palette } else { nil }
  }

  /// Whether keys apply to an open photo, alone or among others, rather than to the grid.
  var isInDetail: Bool { keyView != .grid }

  /// The view that receives the keys.
  var keyView: KeyMap.View {
    switch mode {
    case .grid, .periods: .grid
    case .viewer, .slideshow: .detail
    case .comparison: .compare
    }
  }
}
