extension Browser {
  /// Options from the command line.
  package struct Options: Equatable, Sendable {
    package var layout = LayoutStyle()
    package var motion = MotionSetting.full
    /// Whether photos fill their tiles and are cropped, or fit inside.
    package var crop = ContentMode.fill
    /// Whether the last row of the terminal is the bar.
    package var showsBar = true
    /// Whether a single photo opens in full screen as soon as the listing is complete.
    package var opensSinglePhoto = false
    /// How long a slideshow shows each photo, in seconds.
    package var slideSeconds = 5.0
    /// The time in seconds below which successive photos of a camera are in the same stack.
    package var stackSeconds = 2.0
    /// How dates are written.
    package var dates = DateFormat.english
    package var keys = KeyMap.standard
    /// Whether a panel shows the keys that can follow the first key of a sequence.
    package var showsHints = true
    /// Whether commands that may change files, or that run other programs, are disabled.
    package var isReadOnly = false

    /// The memory for pictures, in bytes, of which those of magnified photos take a part.
    package var pictureMemory = 256 << 20
    /// What counts as the date of a photo, and the current day.
    package var dating = DateRule()
    /// The folder that is shown at the start, with a slash at its end; empty for the folder that the
    /// program was started in, and for several folders or a list.
    package var folder: [UInt8] = []
    /// The folders that photos were moved or copied into in earlier sessions, the latest last.
    package var recentFolders: [String] = []

    package var namedFilters: [NamedFilter] = []

    /// The setting that slow motion replaced; nil while slow motion is off.
    var motionBeforeSlow: MotionSetting?

    package init() {}
  }
}
