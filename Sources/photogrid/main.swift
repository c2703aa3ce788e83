import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO

setlocale(LC_ALL, "")
exit(PhotoGridCommand.run().code)
