import CProcessLimits
import Glibc
import PhotoGridCore
import WorkerEnd
import WorkerProtocol

/// The process that moves files, so that a disk that hangs holds up nothing else.
///
/// It decodes nothing, and does what it was asked for to the end even where the program is gone.
package struct KeeperLoop {
  private let channel: Channel
  private var reader = MessageReader<Request>()

  /// A keeper at the worker's end of a socket pair.
  package init(_ descriptor: Int32) { channel = Channel(descriptor) }

  /// Never returns: the end of the requests is the end of the process.
  package mutating func run() -> Never {
    _ = process_gains_no_privileges()
    _ = process_closes_descriptors()
    signal(SIGPIPE, SIG_IGN)
    _ = channel.offer(Response.hello(.current).encoded())
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = channel.receive(into: &piece)
      guard count > 0 else { exit(0) }
      piece.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      do throws(ProtocolError) {
        while let request = try reader.next() {
          guard case .change(let token, let change) = request else { exit(1) }
          _ = channel.offer(Response.changed(token: token, Self.carryOut(change)).encoded())
        }
      } catch {
        exit(1)
      }
    }
  }

  /// Does what is asked for.
  package static func carryOut(_ change: FileChange) -> FileOutcome {
    do throws(FileFault) {
      switch change {
      case .trash(let path, let home): return .trashed(try Trash(home: home).take(path))
      case .restore(let file, let path):
        try Trash(home: []).giveBack(file, to: path)
        return .done
      case .rename(let old, let new):
        try FileMove.move(FileMove.Place(old), to: FileMove.Place(new))
        return .done
      }
    } catch {
      return error == .lost ? .lost : .refused(error.words)
    }
  }
}
