import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// A worker of the program: a process that opens files and stores thumbnails, and one that decodes.
enum DecodeWorker {
  /// Splits the process, and runs both halves until the program closes the connection.
  static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement()
    guard let ends = sockets(), let storageEnds = sockets() else { exit(1) }
    // For both: what is left here cannot be left by the decoder alone.
    if mode != .off { confinement.isolate(processes: true) }
    let process = process_splits()
    guard process >= 0 else { exit(1) }
    if process == 0 {
      close(ends.near)
      close(storageEnds.near)
      process_is_called("photogrid-decod")
      confinement.enterDecoder()
      var decoder = DecoderProcess(
        channel, requests: ends.far, storage: storageEnds.far, mode, confinement)
      decoder.run()
    }
    channel.greet()
    close(ends.far)
    close(storageEnds.far)
    confinement.limitOpener()
    var opener = FileOpener(
      channel, decoder: process, requests: ends.near, storage: storageEnds.near, mode,
      confinement)
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
      if isDecoding { confinement.enterDecoder() } else { confinement.limitOpener() }
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

  private static func sockets() -> (near: Int32, far: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return nil }
    return (ends[0], ends[1])
  }
}
