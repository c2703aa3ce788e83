import CLinux
import FileWorker
import FolderWorker
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerRuntime

if CommandLine.arguments.dropFirst() == [WorkerExecutable.listerArgument], Channel.isInherited {
  process_is_called("photogrid-list")
  Confinement.begin()
  var lister = FolderWorkerLoop(.inherited)
  lister.run()
}
if CommandLine.arguments.dropFirst() == [WorkerExecutable.keeperArgument], Channel.isInherited {
  process_is_called("photogrid-files")
  FileWorkerLoop.run(.inherited)
}
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
