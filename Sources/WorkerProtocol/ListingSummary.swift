import PhotoGridCore

/// The result of a listing besides the photos.
package struct ListingSummary: Equatable, Sendable {
  /// The number of files that are images neither by their names nor by their first bytes, apart from
  /// videos and from what belongs to an image, such as sidecars.
  package var skipped = 0
  /// The number of videos, apart from the films of live photos.
  package var videos = 0
  /// Whether a folder had no photos, so that its subfolders were listed instead.
  package var wentDeeper = false
  /// The number of folders below the roots that could not be read completely.
  package var unreadableFolders = 0
  /// The number of folders that cannot be watched, because there are too many.
  package var unwatchedFolders = 0
  /// The first roots that could not be read, at most `maxProblems`.
  package var problems: [Problem] = []
  /// The number of all roots that could not be read, listed in `problems` or not.
  package var problemCount = 0

  /// The first roots of a new listing that do not exist, at most `maxProblems`.
  package var missing: [Problem] = []
  /// The number of all roots of a new listing that do not exist.
  package var missingCount = 0

  /// A root that could not be read.
  package struct Problem: Equatable, Sendable {
    package var path: [UInt8]
    package var reason: FailureReason

    package init(path: [UInt8], reason: FailureReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// The most problems that are listed with their paths.
  package static let maxProblems = 16

  package init() {}

  package mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.maxProblems { problems.append(problem) }
  }

  package mutating func add(missing problem: Problem) {
    missingCount += 1
    if missing.count < Self.maxProblems { missing.append(problem) }
  }

  /// Adds the summary of the next part of the same listing.
  package mutating func add(_ next: ListingSummary) {
    skipped += next.skipped
    videos += next.videos
    wentDeeper = wentDeeper || next.wentDeeper
    unreadableFolders += next.unreadableFolders
    unwatchedFolders += next.unwatchedFolders
    problems += next.problems.prefix(max(0, Self.maxProblems - problems.count))
    problemCount += next.problemCount
    missing += next.missing.prefix(max(0, Self.maxProblems - missing.count))
    missingCount += next.missingCount
  }
}

extension ListingSummary: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(
      skipped, videos, wentDeeper, unreadableFolders, unwatchedFolders, problemCount, problems,
      missingCount, missing)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    skipped = try reader.read()
    videos = try reader.read()
    wentDeeper = try reader.read()
    unreadableFolders = try reader.read()
    unwatchedFolders = try reader.read()
    problemCount = try reader.read()
    problems = try reader.readList(limit: min(Self.maxProblems, problemCount))
    missingCount = try reader.read()
    missing = try reader.readList(limit: min(Self.maxProblems, missingCount))
  }
}

extension ListingSummary.Problem: WireValue {
  /// The longest path, in bytes; longer ones are cut, so that the message stays small.
  private static let maxPathLength = 4096

  func write(to payload: inout PayloadWriter) {
    payload.write(Array(path.prefix(Self.maxPathLength)), reason)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (path, reason) = (try reader.read(), try reader.read())
  }
}
