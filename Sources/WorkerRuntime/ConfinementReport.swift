import Glibc
import WorkerProtocol

/// A report about the layers of confinement that a process has on this system.
package enum ConfinementReport {
  /// Confines this process as a worker would be, prints the layers line by line, and exits.
  package static func printAndExit(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    if purpose.limitsResources { confinement.limitResources() }
    if case .annotating = purpose { confinement.limitAnnotator() }
    // The report itself may go to a file.
    ProcessLimits.allowFiles()
    confinement.finish(purpose)
    for layer in confinement.layers { print(layer.line) }
    exit(0)
  }
}
