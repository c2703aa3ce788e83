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
    /// How long a slideshow shows each photo, in seconds.
    package var slideSeconds = 5.0
    /// How dates are written.
    package var dates = DateFormat.english
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
