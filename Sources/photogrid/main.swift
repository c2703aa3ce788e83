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
case [WorkerExecutable.readerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.listing)
case [WorkerExecutable.fileWorkerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.moving(between: []))
case [WorkerExecutable.indexWorkerArgument, ConfinementLayer.argument]:
  ConfinementReport.printAndExit(.indexing(folder: BaseDirectory.index))
default: break
}
if let mode = start.mode(ofWorker: WorkerExecutable.readerArgument) {
  process_set_name("photogrid-read")
  ReaderWorker.run(.inherited, mode)
}
if let mode = start.mode(ofWorker: WorkerExecutable.fileWorkerArgument) {
  process_set_name("photogrid-files")
  FileWorkerLoop.run(.inherited, mode)
}
if let mode = start.mode(ofWorker: WorkerExecutable.indexWorkerArgument) {
  process_set_name("photogrid-index")
  IndexWorkerLoop.run(.inherited, mode)
}
// See `HeapTrimmer.keepBlocks`.
mallopt(M_MMAP_THRESHOLD, HeapTrimmer.mappedByteCount)
setlocale(LC_ALL, "")
if let problem = StackSize.ensure() {
  StandardStream.printError(problem)
  exit(ExitStatus.nothingShown.code)
}
exit(PhotoGridCommand.run().code)
