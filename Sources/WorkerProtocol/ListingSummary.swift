/// What a listing came upon besides photos.
package struct ListingSummary: Equatable, Sendable {
  /// Files in the folders that are not images by name nor by first bytes.
  package var skipped = 0
  /// Whether a folder had no photos of its own, and those of its subfolders were taken instead.
  package var wentDeeper = false
  /// Folders below the roots whose contents could not be read, or not all of them.
  package var unreadableFolders = 0
  /// Folders that should be watched and cannot be: there are too many, or the system refuses.
  package var unwatchedFolders = 0
  /// Roots that could not be looked at, the first few with their reasons.
  package var problems: [Problem] = []
  /// How many roots could not be looked at, those left out of `problems` included.
  package var problemCount = 0

  /// A root that could not be looked at.
  package struct Problem: Equatable, Sendable {
    package var path: [UInt8]
    package var reason: FailureReason

    /// A root and why it could not be looked at.
    package init(path: [UInt8], reason: FailureReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// How many problems are told with their paths.
  package static let mostProblems = 16

  /// The summary of a listing that found nothing to say.
  package init() {}

  /// Notes a root that could not be looked at.
  package mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  /// Adds what the next piece of the same listing came upon.
  package mutating func add(_ next: ListingSummary) {
    skipped += next.skipped
    wentDeeper = wentDeeper || next.wentDeeper
    unreadableFolders += next.unreadableFolders
    unwatchedFolders += next.unwatchedFolders
    problems += next.problems.prefix(max(0, Self.mostProblems - problems.count))
    problemCount += next.problemCount
  }
}

extension ListingSummary {
  /// A path in a problem is cut here, in bytes, so that the message stays small.
  private static let longestPath = 4096

  func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: skipped))
    payload.write(wentDeeper)
    payload.write(UInt32(clamping: unreadableFolders))
    payload.write(UInt32(clamping: unwatchedFolders))
    payload.write(UInt32(clamping: problemCount))
    payload.write(UInt8(problems.count))
    for problem in problems {
      payload.write(string: problem.path.prefix(Self.longestPath))
      problem.reason.write(to: &payload)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    skipped = Int(try reader.read(UInt32.self))
    wentDeeper = try reader.readBool()
    unreadableFolders = Int(try reader.read(UInt32.self))
    unwatchedFolders = Int(try reader.read(UInt32.self))
    problemCount = Int(try reader.read(UInt32.self))
    let count: UInt8 = try reader.read()
    guard count <= Self.mostProblems, count <= problemCount else { throw .malformed }
    for _ in 0..<count {
      problems.append(
        Problem(path: try reader.readString(), reason: try FailureReason(&reader)))
    }
  }
}
