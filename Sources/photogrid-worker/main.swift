import CLinux
import Glibc
import AnnotationWorker
import WorkerProtocol
import WorkerRuntime

let start = WorkerArguments()
let arguments = start.words
switch arguments.first {
case "--version":
  print("photogrid-worker \(ProgramVersion.current)")
case ConfinementLayer.argument where arguments.dropFirst().first == "rating":
  ConfinementReport.printAndExit(.annotating(in: []))
case ConfinementLayer.argument where arguments.dropFirst().first == "filming":
  DecodeWorker.report(.filming(-1))
case ConfinementLayer.argument:
  let folder = arguments.dropFirst(2).first.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
  DecodeWorker.report(
    arguments.dropFirst().first == "opening" ? .opening(writesBelow: folder) : .decoding)
default:
  if let mode = start.mode(ofWorker: AnnotationProtocol.argument) {
    process_set_name("photogrid-xmp")
    AnnotationWorkerLoop.run(.inherited, mode)
  }
  if let mode = start.mode(ofWorker: nil) { DecodeWorker.run(.inherited, mode) }
  print("photogrid-worker decodes photos for photogrid, which starts it as needed.")
  exit(2)
}
