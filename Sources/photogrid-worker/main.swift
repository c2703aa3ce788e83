import Glibc
import WorkerRuntime
import WorkerProtocol

switch CommandLine.arguments.dropFirst().first {
case "--version":
  print("photogrid-worker \(ProgramVersion.current)")
case nil where Channel.isInherited:
  Confinement.begin()
  var worker = DecodeWorker(.inherited)
  worker.run()
default:
  print("photogrid-worker decodes photos for photogrid, which starts it by itself.")
  exit(2)
}
