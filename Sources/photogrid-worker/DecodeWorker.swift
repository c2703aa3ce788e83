import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// A worker of the program: a process that opens files and stores thumbnails, one that decodes, and
/// one that starts the latter.
enum DecodeWorker {
  /// Splits the process, and runs both halves until the program closes the connection.
  static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode)
    guard let orders = SocketPair() else { exit(1) }
    // For all: what is left here cannot be left by the decoder alone.
    confinement.isolate(processes: true)
    let process = process_splits()
    guard process >= 0 else { exit(1) }
    if process == 0 {
      close(orders.near)
      process_is_called("photogrid-start")
      var starter = DecoderStarter(channel, orders: orders.far, mode, confinement)
      starter.run()
    }
    channel.greet()
    close(orders.far)
    confinement.limitOpener()
    var opener = FileOpener(channel, starter: process, orders: orders.near, mode, confinement)
    opener.run()
  }

  /// Prints the layers of one of both processes, and exits.
  static func report(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.isolate(processes: true)
    let process = process_splits()
    guard process >= 0 else { exit(1) }
    let isDecoding = if case .decoding = purpose { true } else { false }
    if (process == 0) == isDecoding {
      if isDecoding { confinement.enterStarter() } else { confinement.limitOpener() }
      // The report itself may go to a file.
      ProcessLimits.allowFiles()
      confinement.finish(purpose)
      for layer in confinement.layers { print(layer.line) }
      fflush(nil)
    }
    if process != 0 {
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    exit(0)
  }
}
