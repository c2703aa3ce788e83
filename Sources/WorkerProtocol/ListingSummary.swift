import PhotoGridCore

/// The result of a listing besides the photos.
package struct ListingSummary: Equatable, Sendable {
  /// The number of files that are images neither by their names nor by their first bytes.
  package var skipped = 0
  /// Whether a folder had no photos, so that its subfolders were listed instead.
  package var wentDeeper = false
  /// The number of folders below the roots that could not be read completely.
  package var unreadableFolders = 0
  /// The number of folders that cannot be watched, because there are too many.
  package var unwatchedFolders = 0
  /// The first roots that could not be read, at most `mostProblems`.
  package var problems: [Problem] = []
  /// The number of all roots that could not be read, listed in `problems` or not.
  package var problemCount = 0

  /// The first roots of a new listing that do not exist, at most `mostProblems`.
  package var missing: [Problem] = []
  /// The number of all roots of a new listing that do not exist.
  package var missingCount = 0

  /// A root that could not be read.
  package struct Problem: Equatable, Sendable {
    /// The path of the root.
    package var path: [UInt8]
    package var reason: FailureReason

    package init(path: [UInt8], reason: FailureReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// The most problems that are listed with their paths.
  package static let mostProblems = 16

  /// Creates the summary of an empty listing.
  package init() {}

  /// Adds a root that could not be read.
  package mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  /// Adds a root that does not exist.
  package mutating func add(missing problem: Problem) {
    missingCount += 1
    if missing.count < Self.mostProblems { missing.append(problem) }
  }

  /// Adds the summary of the next part of the same listing.
  package mutating func add(_ next: ListingSummary) {
    skipped += next.skipped
    wentDeeper = wentDeeper || next.wentDeeper
    unreadableFolders += next.unreadableFolders
    unwatchedFolders += next.unwatchedFolders
    problems += next.problems.prefix(max(0, Self.mostProblems - problems.count))
    problemCount += next.problemCount
    missing += next.missing.prefix(max(0, Self.mostProblems - missing.count))
    missingCount += next.missingCount
  }
}

extension ListingSummary {
  /// The longest path in a problem, in bytes; longer ones are cut, so that the message stays small.
  private static let longestPath = 4096

  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: skipped))
    payload.write(wentDeeper)
    payload.write(UInt32(clamping: unreadableFolders))
    payload.write(UInt32(clamping: unwatchedFolders))
    Self.write(problems, of: problemCount, to: &payload)
    Self.write(missing, of: missingCount, to: &payload)
  }

  private static func write(
    _ problems: [Problem], of count: Int, to payload: inout PayloadWriter
  ) {
    payload.write(UInt32(clamping: count))
    payload.write(UInt8(problems.count))
    for problem in problems {
      payload.write(string: problem.path.prefix(longestPath))
      problem.reason.write(to: &payload)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    skipped = Int(try reader.read(UInt32.self))
    wentDeeper = try reader.readBool()
    unreadableFolders = Int(try reader.read(UInt32.self))
    unwatchedFolders = Int(try reader.read(UInt32.self))
    (problems, problemCount) = try Self.readProblems(&reader)
    (missing, missingCount) = try Self.readProblems(&reader)
  }

  private static func readProblems(
    _ reader: inout PayloadReader
  ) throws(ProtocolError) -> ([Problem], count: Int) {
    let all = Int(try reader.read(UInt32.self))
    let count: UInt8 = try reader.read()
    guard count <= mostProblems, count <= all else { throw .malformed }
    var problems: [Problem] = []
    for _ in 0..<count {
      problems.append(
        Problem(path: try reader.readString(), reason: try FailureReason(&reader)))
    }
    return (problems, all)
  }
}
