import CLinux
import FileWorker
import FolderWorker
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerProtocol
import WorkerRuntime

switch CommandLine.arguments.dropFirst() {
case [WorkerExecutable.listerArgument, ConfinementLayer.question]:
  ConfinementReport.printAndExit(.listing)
case [WorkerExecutable.keeperArgument, ConfinementLayer.question]:
  ConfinementReport.printAndExit(.moving)
default: break
}
if CommandLine.arguments.dropFirst() == [WorkerExecutable.listerArgument], Channel.isInherited {
  process_is_called("photogrid-list")
  var confinement = Confinement()
  confinement.limitResources()
  confinement.finish(.listing)
  var lister = FolderWorkerLoop(.inherited)
  lister.run()
}
if CommandLine.arguments.dropFirst() == [WorkerExecutable.keeperArgument], Channel.isInherited {
  process_is_called("photogrid-files")
  FileWorkerLoop.run(.inherited)
}
setlocale(LC_ALL, "")
if let complaint = StackSize.ensure() {
  StandardStream.complain(complaint)
  exit(ExitStatus.nothingShown.code)
}
exit(PhotoGridCommand.run().code)
