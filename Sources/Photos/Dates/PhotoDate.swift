import Glibc

package struct PhotoDate: Hashable, Sendable {
  /// The time on the camera's clock; the beginning of the day, month or year if only that is known.
  package let time: TakenTime
  /// How much of the time is known.
  package let precision: Precision
  /// Where the date was found.
  package let source: Source

  package enum Precision: Int64, Sendable { case year, month, day, second }

  /// A place where a date can be found.
  package enum Source: String, Sendable {
    /// The EXIF in the photo's file.
    case metadata = "exif"
    /// The XMP beside the photo, and that in it.
    case sidecar, xmp
    /// The records of the IPTC, and the texts of a PNG.
    case iptc
    case text = "png"
    /// The file's name, or that of a folder that it is in.
    case name, folder
    /// The time of the file's last modification.
    case modified
  }

  package init(_ time: TakenTime, _ precision: Precision = .second, from source: Source) {
    (self.time, self.precision, self.source) = (time, precision, source)
  }

  init(_ time: TakenTime) {
    let source: Source =
      switch time.source {
      case .exif: .metadata
      case .sidecar: .sidecar
      case .xmp: .xmp
      case .iptc: .iptc
      case .text: .text
      }
    self.init(time, time.precision, from: source)
  }

  /// The known part of the date in ISO 8601: "2019-07-04T10:11:12.25+02:00", "2019-07-04", "2019-07" or
  /// "2019".
  package var iso8601: String {
    var time = time
    time.precision = precision
    return time.detailed
  }

  /// The number by which dates are sorted: a year comes before its first day, so that photos of which
  /// only the year is known are side by side.
  var rank: Int64 {
    time.digits * 100
      + (precision == .second ? Int64(time.hundredths ?? 0) : precision.rawValue - 3)
  }

  /// Returns the day, month or year, or the shortest of these that is known; nil for groupings that are
  /// not by date.
  func calendarDate(by grouping: Grouping) -> CalendarDate? {
    switch (precision, grouping) {
    case (.month, .day): CalendarDate(time, by: .month)
    case (.year, .day), (.year, .month): CalendarDate(time, by: .year)
    default: CalendarDate(time, by: grouping)
    }
  }
}

/// The rule for the date of a photo.
package struct DateRule: Equatable, Sendable {
  /// A kind of evidence, as the option `--dates` calls it.
  package enum Evidence: String, CaseIterable, Sendable {
    /// What the file and its sidecar say.
    case taken
    /// The file's name, then the folders that it is in.
    case name
    /// The time of the file's last modification.
    case modified
  }

  package var evidence: [Evidence] = [.taken, .name]
  /// The current day, after which no photo was taken; nil if it is not known.
  package var today: CalendarDate?

  package init(_ evidence: [Evidence] = [.taken, .name], today: CalendarDate? = nil) {
    (self.evidence, self.today) = (evidence, today)
  }

  /// Returns the date of a photo; nil if nothing tells it, or its file must be read first.
  ///
  /// - `taken`: The time in the metadata, as `TakenTime.bits`, 0 if there is none; nil if the file has
  ///   not been read.
  /// - `modified`: The time of the last modification, in seconds since 1970; nil if it is not known.
  /// - `path`: The folder's path and the file's name, in UTF-8.
  package func date(
    taken: Int64?, modified: Int64?, path: () -> (folder: [UInt8], name: ArraySlice<UInt8>)?
  ) -> PhotoDate? {
    for kind in evidence {
      switch kind {
      case .taken:
        // What the file says may come before what its name says.
        guard let taken else { return nil }
        if let date = date(taken: taken) { return date }
      case .name:
        guard let path = path() else { continue }
        if let date = NameDate(in: path.name), isPossible(TakenTime(digits: date.digits)) {
          return PhotoDate(TakenTime(digits: date.digits), date.precision, from: .name)
        }
        if let date = NameDate(inFolder: path.folder),
          isPossible(TakenTime(digits: date.digits))
        {
          return PhotoDate(TakenTime(digits: date.digits), date.precision, from: .folder)
        }
      case .modified:
        guard let modified, let time = TakenTime(localSeconds: modified) else { continue }
        return PhotoDate(time, from: .modified)
      }
    }
    return nil
  }

  /// Returns the date of a packed time from the metadata; nil if the file has no time, or an impossible
  /// one.
  private func date(taken bits: Int64) -> PhotoDate? {
    guard let time = TakenTime(bits: bits), isPossible(time) else { return nil }
    return PhotoDate(time)
  }

  /// Whether photos may have been taken at a time: it is plausible, and not after today.
  private func isPossible(_ time: TakenTime) -> Bool {
    guard time.isPlausible else { return false }
    guard let today, let month = today.month, let day = today.day else { return true }
    return time.digits / 1_000_000 <= Int64(today.year * 10_000 + month * 100 + day)
  }
}

extension DateRule {
  /// Returns the date of a photo with known names and facts; nil if nothing tells it.
  func date(of photo: Photo.ID, _ facts: PackedInfo?, _ names: PhotoNames) -> PhotoDate? {
    // Without the closure, which copies the names: it would take most of the time to sort by date.
    if evidence.first == .taken {
      guard let facts else { return nil }
      if let date = date(taken: facts.takenBits) { return date }
    }
    return date(
      taken: facts?.takenBits,
      modified: facts.flatMap { $0.isReadable ? $0.modified : nil }
    ) { names.path(of: photo) }
  }

  /// Returns the date of the photo at a path; nil if nothing tells it.
  package func date(of info: PhotoInfo, at path: [UInt8]) -> PhotoDate? {
    let start = path.nameStart
    return date(
      taken: info.taken?.bits ?? 0,
      modified: Int64(info.stamp.seconds)
    ) { (Array(path[..<start]), path[start...]) }
  }
}

extension TakenTime {
  /// Creates the local time at a number of seconds since 1970; nil for years that have not four
  /// digits.
  package init?(localSeconds: Int64) {
    var seconds = time_t(localSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    let year = Int64(parts.tm_year) + 1900
    // The digits of years beyond would not fit.
    guard year <= 9999 else { return nil }
    let date = year * 10_000 + Int64(parts.tm_mon + 1) * 100 + Int64(parts.tm_mday)
    self.init(
      checking: date * 1_000_000 + Int64(parts.tm_hour) * 10_000 + Int64(parts.tm_min) * 100
        + Int64(parts.tm_sec))
  }
}

extension TakenTime {
  /// Returns the day after which no photo was taken, as digits, by the time in seconds since 1970:
  /// tomorrow, since a decoder may not know the time zone.
  package static func latestDay(now: Int) -> Int64 {
    TakenTime(localSeconds: Int64(now) + 86_400).map { $0.digits / 1_000_000 } ?? .max
  }
}

extension CalendarDate {
  /// Creates the local day at a number of seconds since 1970.
  package init?(localSeconds: Int64) {
    guard let time = TakenTime(localSeconds: localSeconds) else { return nil }
    self.init(time, by: .day)
  }
}
