import Geometry
import Photos

extension FileStep {
  /// The step of a file into a trash.
  package init(trash: [UInt8], name: [UInt8], originalPath: [UInt8]) {
    self.init(from: originalPath, to: trash + "/files/".utf8 + name)
  }
}

extension FileOperation {
  /// Returns the operation as it is after it was performed on files, the first of which has a name.
  package func performed(_ outcome: FileOutcome, name: [UInt8]) -> FileOperation {
    var operation = self
    operation.outcome = outcome
    if steps.isEmpty {
      let taken = if case .done(let steps) = outcome { steps } else { [FileStep]() }
      operation.steps = photos.indices.map {
        FileStep(from: taken.indices.contains($0) ? taken[$0].source : [])
      }
    }
    guard var first = operation.steps.first else { return operation }
    func renamed(_ path: [UInt8]) -> [UInt8] {
      path.dropLast(path.lastPathComponent.count) + name
    }
    if isUndo && kind != .trash {
      first.target = renamed(first.target)
    } else {
      first.source = renamed(first.source)
    }
    operation.steps[0] = first
    return operation
  }
}
