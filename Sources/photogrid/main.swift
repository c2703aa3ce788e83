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

// What the program started itself again for.
let role = program_argument_count() == 2 ? program_argument(1).map { String(cString: $0) } : nil
if role == WorkerExecutable.listerArgument, Channel.isInherited {
  process_is_called("photogrid-list")
  Confinement.begin()
  var lister = FolderWorkerLoop(.inherited)
  lister.run()
}
if role == WorkerExecutable.keeperArgument, Channel.isInherited {
  process_is_called("photogrid-files")
  FileWorkerLoop.run(.inherited)
}
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
