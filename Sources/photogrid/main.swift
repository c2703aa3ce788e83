import CProcessLimits
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
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
