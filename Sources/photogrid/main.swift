import CArguments
import CLinux
import FactIndex
import FileWorker
import FolderWorker
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerProtocol
import WorkerRuntime

/// Whether the program has started itself as this worker.
func isStarted(as worker: String) -> Bool {
  guard program_argument_count() == 2, Channel.isInherited, let argument = program_argument(1)
  else { return false }
  return String(cString: argument) == worker
}

switch CommandLine.arguments.dropFirst() {
case [WorkerExecutable.listerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.listing)
case [WorkerExecutable.fileWorkerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.moving(between: []))
case [WorkerExecutable.indexWorkerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.indexing(folder: BaseDirectory.index))
default: break
}
if isStarted(as: WorkerExecutable.listerArgument) {
  process_is_called("photogrid-list")
  var confinement = Confinement()
  confinement.limitResources()
  confinement.finish(.listing)
  var lister = FolderWorkerLoop(.inherited)
  lister.run()
}
if isStarted(as: WorkerExecutable.fileWorkerArgument) {
  process_is_called("photogrid-files")
  FileWorkerLoop.run(.inherited)
}
if isStarted(as: WorkerExecutable.folderNamesArgument) {
  process_is_called("photogrid-names")
  FolderNamesLoop.run(.inherited)
}
if isStarted(as: WorkerExecutable.indexWorkerArgument) {
  process_is_called("photogrid-index")
  IndexWorkerLoop.run(.inherited)
}
// Large blocks are mapped separately, so that the memory of evicted pictures returns to the system
// at once.
mallopt(M_MMAP_THRESHOLD, 128 << 10)
setlocale(LC_ALL, "")
if let problem = StackSize.ensure() {
  StandardStream.printError(problem)
  exit(ExitStatus.nothingShown.code)
}
exit(PhotoGridCommand.run().code)
