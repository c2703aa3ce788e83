import Glibc
import WorkerProtocol
import WorkerRuntime

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "--version":
  print("photogrid-worker \(ProgramVersion.current)")
case ConfinementLayer.question:
  ConfinementReport.printAndExit(
    .decoding(writesBelow: arguments.dropFirst().first.map { Array($0.utf8) }))
case let mode where Channel.isInherited && (mode == nil || SandboxMode(argument: mode) != nil):
  var worker = DecodeWorker(.inherited, SandboxMode(argument: mode) ?? .auto)
  worker.run()
default:
  print("photogrid-worker decodes photos for photogrid, which starts it by itself.")
  exit(2)
}
