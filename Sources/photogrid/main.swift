import CArguments
import CLinux
import FileWorker
import FolderWorker
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerRuntime

/// Whether the program started itself again to be one of its workers.
func isStarted(as worker: String) -> Bool {
  guard program_argument_count() == 2, Channel.isInherited, let argument = program_argument(1)
  else { return false }
  return String(cString: argument) == worker
}

if isStarted(as: WorkerExecutable.listerArgument) {
  process_is_called("photogrid-list")
  Confinement.begin()
  var lister = FolderWorkerLoop(.inherited)
  lister.run()
}
if isStarted(as: WorkerExecutable.keeperArgument) {
  process_is_called("photogrid-files")
  FileWorkerLoop.run(.inherited)
}
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
