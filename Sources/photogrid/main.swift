import CProcessLimits
import FileKeeping
import FolderListing
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerEnd

if CommandLine.arguments.dropFirst() == [WorkerExecutable.listerArgument], Channel.isInherited {
  process_is_called("photogrid-list")
  Confinement.begin()
  var lister = ListerLoop(Channel.inherited)
  lister.run()
}
if CommandLine.arguments.dropFirst() == [WorkerExecutable.keeperArgument], Channel.isInherited {
  process_is_called("photogrid-files")
  var keeper = KeeperLoop(Channel.inherited)
  keeper.run()
}
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
