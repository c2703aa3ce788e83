/// What the browser shows, and so where its events go.
///
/// A photo that flies to its tile leaves the keys to the grid already. What cannot be, such as a
/// prompt in a slideshow, cannot be written.
enum Mode: Equatable, Sendable {
  /// The grid, and the photo that flies to its tile, if there is one.
  case grid(closing: Viewer?, Modal?)
  /// A photo on the whole screen, or on its way there.
  case viewer(Viewer, Modal?)
  /// Photos on the whole screen, one after the other by themselves.
  case slideshow(Viewer, Slideshow)

  /// What takes the keys before the grid or the photo behind it does.
  enum Modal: Equatable, Sendable {
    /// A line that is typed in the bar.
    case prompt(Prompt)
    /// A page of the help, from 0.
    case help(page: Int)
    /// A question before photos go to the trash.
    case confirmation(Confirmation)
  }

  /// The open photo, whatever it is doing.
  ///
  /// A slideshow ends where its photo closes.
  var viewer: Viewer? {
    get {
      switch self {
      case .grid(let closing, _): closing
      case .viewer(let viewer, _), .slideshow(let viewer, _): viewer
      }
    }
    set {
      guard let newValue, !newValue.isClosing else {
        self = .grid(closing: newValue, modal)
        return
      }
      switch self {
      case .grid(_, let modal), .viewer(_, let modal): self = .viewer(newValue, modal)
      case .slideshow(_, let slideshow): self = .slideshow(newValue, slideshow)
      }
    }
  }

  /// What takes the keys first; a slideshow ends where it opens.
  var modal: Modal? {
    get {
      switch self {
      case .grid(_, let modal), .viewer(_, let modal): modal
      case .slideshow: nil
      }
    }
    set {
      switch self {
      case .grid(let closing, _): self = .grid(closing: closing, newValue)
      case .viewer(let viewer, _): self = .viewer(viewer, newValue)
      case .slideshow(let viewer, _): if newValue != nil { self = .viewer(viewer, newValue) }
      }
    }
  }

  /// The slideshow that runs.
  var slideshow: Slideshow? {
    if case .slideshow(_, let slideshow) = self { slideshow } else { nil }
  }

  /// Starts a slideshow with the open photo, or goes on with another state of it; does nothing in
  /// the grid.
  mutating func show(_ slideshow: Slideshow) {
    switch self {
    case .grid: break
    case .viewer(let viewer, _), .slideshow(let viewer, _):
      self = .slideshow(viewer, slideshow)
    }
  }

  /// Changes the slideshow that runs, in place.
  mutating func updateSlideshow(_ change: (inout Slideshow) -> Void) {
    guard case .slideshow(let viewer, var slideshow) = self else { return }
    // With two owners each change would copy the photos that cannot be shown.
    self = .viewer(viewer, nil)
    change(&slideshow)
    self = .slideshow(viewer, slideshow)
  }

  /// Ends the slideshow; its photo stays on the screen.
  mutating func endSlideshow() {
    if case .slideshow(let viewer, _) = self { self = .viewer(viewer, nil) }
  }
}

extension Browser {
  /// The open photo, whatever it is doing; nil where there is none.
  package internal(set) var viewer: Viewer? {
    get { mode.viewer }
    set { mode.viewer = newValue }
  }

  /// The slideshow that runs.
  package var slideshow: Slideshow? { mode.slideshow }

  /// What is typed in the bar.
  package var prompt: Prompt? {
    if case .prompt(let prompt)? = mode.modal { prompt } else { nil }
  }

  /// The page of the help that is open, from 0.
  package var helpPage: Int? {
    if case .help(let page)? = mode.modal { page } else { nil }
  }

  /// Whether keys are about a photo on the screen, rather than about the grid.
  var isInDetail: Bool { keyView == .detail }

  /// The view whose keys work.
  var keyView: KeyMap.View {
    switch mode {
    case .grid: .grid
    case .viewer, .slideshow: .detail
    }
  }
}
