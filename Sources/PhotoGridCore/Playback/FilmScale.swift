import Photos

/// The line at the bottom of an open film: its text, and the frame that each place on it stands for.
struct FilmScale: Equatable, Sendable {
  let film: FilmTiming
  /// The columns of the part that stands for the whole film.
  let track: Range<Int>
  private let total: String

  /// The fewest columns of the track.
  private static let minTrack = 8

  /// Lays the line out in a row of some columns; nil if it does not fit, or the film does not say how
  /// long it is.
  init?(_ film: FilmTiming, columns: Int) {
    guard film.isLengthKnown else { return nil }
    self.film = film
    total = Information.length(film.length)
    let margin = total.count + 2
    track = margin..<max(columns - margin, margin)
    guard track.count >= Self.minTrack else { return nil }
  }

  /// Returns the line for a frame in three parts: the time, the part that was played, with a knob
  /// at its end, and the rest, with the length.
  func parts(at frameIndex: Int) -> (time: String, played: String, rest: String) {
    let time = Information.length(film.seconds(at: frameIndex).rounded(.down))
    let share = Double(frameIndex) / Double(max(film.frameCount - 1, 1))
    let past = min(Int((share * Double(track.count)).rounded()), track.count - 1)
    return (
      " " + String(repeating: " ", count: max(total.count - time.count, 0)) + time + " ",
      String(repeating: "━", count: past) + "●",
      String(repeating: "─", count: track.count - 1 - past) + " \(total) "
    )
  }

  /// Returns the frame at a distance from the left in columns.
  func frameIndex(atColumn column: Double) -> Int {
    let share = (column - Double(track.lowerBound)) / Double(track.count)
    return min(max(Int(share * Double(film.frameCount)), 0), film.frameCount - 1)
  }
}
