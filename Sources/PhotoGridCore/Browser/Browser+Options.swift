extension Browser {
  /// What the command line chose.
  package struct Options: Equatable, Sendable {
    /// How the tiles are laid out.
    package var layout = LayoutStyle()
    /// How much moves, and how fast.
    package var motion = MotionSetting.full
    /// Whether tiles are clipped photos or hold whole ones.
    package var crop = ContentMode.fill
    /// Whether the last row of the terminal is the bar.
    package var showsBar = true
    /// Whether a single photo opens on the whole screen at once.
    package var opensSinglePhoto = false
    /// The order of the photos at the start.
    package var order = SortOrder.listed
    /// What photos have to meet to be shown at the start; nil shows all.
    package var filter: Filter?
    /// How long a slideshow shows each photo, in seconds.
    package var slideSeconds = 5.0
    /// What keys do.
    package var keys = KeyMap.standard
    /// Whether nothing may be done to files, nor with them by other programs.
    package var isReadOnly = false

    /// The motion that slow motion takes the place of; nil while it is off.
    var motionBeforeSlow: MotionSetting?

    /// The defaults.
    package init() {}
  }
}
