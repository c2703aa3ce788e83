import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// A decoding worker of the program, which consists of three processes.
///
/// The opener (`FileOpener`) opens photos and stores thumbnails. The starter (`DecoderStarter`)
/// starts decoders with the libraries that a format needs. The decoder (`DecoderProcess`) decodes,
/// and opens nothing itself.
///
///     program ── requests ──► opener ── orders ──► starter ── starts ──► decoder
///                             opener ── requests, open files ──────────► decoder
///                             opener ◄── thumbnails to store ─────────── decoder
///     program ◄── responses ──────────────────────────────────────────── decoder
enum DecodeWorker {
  /// Splits the process into opener and starter, which run until the program closes the connection.
  static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode)
    guard let orders = SocketPair() else { exit(1) }
    // All three processes leave the namespaces here: a decoder could not leave them by itself.
    confinement.isolate(processes: true)
    let process = process_fork()
    guard process >= 0 else { exit(1) }
    if process == 0 {
      close(orders.near)
      process_set_name("photogrid-start")
      var starter = DecoderStarter(channel, orders: orders.far, mode, confinement)
      starter.run()
    }
    channel.greet()
    close(orders.far)
    confinement.limitOpener()
    var opener = FileOpener(channel, starter: process, orders: orders.near, mode, confinement)
    opener.run()
  }

  /// Prints the layers of confinement of the opener or of a decoder, and exits.
  static func report(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.isolate(processes: true)
    let process = process_fork()
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
