extension Browser {
  /// What the command line chose.
  package struct Options: Equatable, Sendable {
    package var layout = LayoutStyle()
    package var motion = MotionSetting.full
    /// Whether tiles are clipped photos or hold whole ones.
    package var crop = ContentMode.fill
    package var showsBar = true
    /// Whether a single photo opens on the whole screen at once.
    package var opensSinglePhoto = false
    package var order = SortOrder.listed
    /// Nil where all photos are shown.
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
