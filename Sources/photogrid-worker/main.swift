import Glibc
import WorkerEnd
import WorkerProtocol

switch CommandLine.arguments.dropFirst().first {
case "--version":
  print("photogrid-worker \(ProgramVersion.current)")
case nil where Channel.isInherited:
  Confinement.begin()
  var loop = RequestLoop(Channel.inherited)
  loop.run()
default:
  print("photogrid-worker decodes photos for photogrid, which starts it by itself.")
  exit(2)
}
