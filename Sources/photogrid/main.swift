import FolderListing
import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerEnd

if CommandLine.arguments.dropFirst() == [WorkerExecutable.listerArgument], Channel.isInherited {
  Confinement.begin()
  pthread_setname_np(pthread_self(), "photogrid-list")
  var lister = ListerLoop(Channel.inherited)
  lister.run()
}
setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
