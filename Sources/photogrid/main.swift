import CLinux
import FactIndex
import FileWorker
import FolderWorker
import Geometry
import Glibc
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerProtocol
import WorkerRuntime

StandardStream.occupy()
let start = WorkerArguments()
switch start.words {
case [WorkerExecutable.libraryArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.library(recordsIn: nil))
case [WorkerExecutable.libraryArgument, ConfinementLayer.argument, "indexing"]:
  ConfinementReport.printAndExit(.library(recordsIn: BaseDirectory.index))
case [WorkerExecutable.fileWorkerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.moving(between: []))
default: break
}
if let mode = start.mode(ofWorker: WorkerExecutable.libraryArgument) {
  process_set_name("photogrid-lib")
  LibraryWorker.run(.inherited, mode)
}
if let mode = start.mode(ofWorker: WorkerExecutable.fileWorkerArgument) {
  process_set_name("photogrid-files")
  FileWorkerLoop.run(.inherited, mode)
}
// See `HeapTrimmer.keepBlocks`.
mallopt(M_MMAP_THRESHOLD, HeapTrimmer.mappedByteCount)
setlocale(LC_ALL, "")
if let problem = StackSize.ensure() {
  StandardStream.printError(problem)
  exit(ExitStatus.nothingShown.code)
}
exit(PhotoGridCommand.run().code)
