import Geometry
import Photos
import WorkerProtocol

/// Rotating and flipping photos by the orientation in their files and sidecars.
extension FileOperator {
  /// How often photos are read again that other programs have changed meanwhile.
  private static let maxAttempts = 5

  /// Rotates or flips photos that belong together.
  ///
  /// - Returns: The files that were changed.
  mutating func turn(
    _ photos: [[UInt8]], by turning: Orientation, _ operation: UInt32
  ) throws(FileFault) -> [TurnedFile] {
    var attempt = 1
    while true {
      let plan = try PhotoTurn(photos, by: turning)
      var files: [TurnedFile] = []
      do throws(FileFault) {
        try inGroup(.rotate, operation, plan.steps.count) { (group) throws(FileFault) in
          for step in plan.steps {
            let entry = try group.rotate(
              step.file, of: step.photo, at: step.path, step.rotation, mode: step.mode)
            files.append(TurnedFile(entry))
          }
        }
        return files
      } catch {
        guard error == .changed, attempt < Self.maxAttempts else { throw error }
        attempt += 1
      }
    }
  }

  /// Undoes recorded changes of orientations, the last one first.
  mutating func turnBack(
    _ entries: [JournalEntry], _ operation: UInt32
  ) throws(FileFault) {
    guard !entries.isEmpty else { throw .lost }
    try inGroup(.unrotate, operation, entries.count) { (group) throws(FileFault) in
      for entry in entries.reversed() {
        let back = try PhotoTurn.undoing(entry)
        _ = try group.rotate(entry.file, of: entry.source, at: entry.target, back)
      }
    }
  }
}

extension TurnedFile {
  init(_ entry: JournalEntry) {
    self.init(
      path: entry.target, isSidecar: Sidecar.isSidecar(entry.target),
      record: Array(entry.line.utf8))
  }
}

extension JournalEntry {
  /// The entry of a file that was turned; nil if it is not one.
  init?(_ file: TurnedFile) {
    self.init(line: String(decoding: file.record, as: UTF8.self))
    guard rotation != nil, target == file.path else { return nil }
  }
}
