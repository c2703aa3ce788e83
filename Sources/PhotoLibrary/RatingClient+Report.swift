import PhotoGridCore

/// What the client reports.
extension RatingClient {
  /// A rating that was read or written.
  package struct Reading: Equatable, Sendable {
    /// The photo.
    package var photo: Photo.ID
    /// The rating that its files have now.
    package var rating: Rating
    /// The `RatingStamp` of the files, which changes when one of them does; 0 if unknown.
    package var stamp: UInt64
  }

  /// The results that have arrived since the last report.
  package struct Report {
    /// Ratings that were read.
    package var readings: [Reading] = []
    /// Ratings that were written.
    package var written: [Reading] = []
    /// The outcomes of changes.
    package var results: [RatingResult] = []

    /// Whether nothing has arrived; a written rating always has a result too.
    package var isEmpty: Bool { readings.isEmpty && results.isEmpty }
  }
}
