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
    _ photos: [[UInt8]], by turning: Orientation, _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    var attempt = 1
    while true {
      let plan = try PhotoTurn(photos, by: turning)
      var files: [FileStep] = []
      do throws(FileFault) {
        try inGroup(.rotate, batch, plan.steps.count) { (group) throws(FileFault) in
          for step in plan.steps {
            let entry = try group.rotate(
              step.file, of: step.photo, at: step.path, step.rotation, mode: step.mode)
            files.append(entry.recordedStep)
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
    _ entries: [JournalEntry], _ batch: UInt32
  ) throws(FileFault) {
    guard !entries.isEmpty else { throw .lost }
    try inGroup(.unrotate, batch, entries.count) { (group) throws(FileFault) in
      for entry in entries.reversed() {
        let back = try PhotoTurn.undoing(entry)
        _ = try group.rotate(entry.file, of: entry.source, at: entry.target, back)
      }
    }
  }
}

extension JournalEntry {
  /// The entry of a file that was changed in its place; nil if it is not one.
  init?(_ step: FileStep) {
    self.init(line: String(decoding: step.record, as: UTF8.self))
    guard rotation != nil, target == step.target else { return nil }
  }
}
