import CLinux
import Glibc
import WorkerProtocol
import WorkerRuntime

/// The opener's connection to the running decoder.
struct RunningDecoder {
  /// The socket for requests, whose calls do not block.
  let requests: Int32
  /// The socket over which thumbnails arrive.
  let storage: Channel
  /// The libraries that the decoder has loaded.
  let libraries: DecoderLibraries
  /// The reader of the requests to store thumbnails.
  var storageReader = MessageReader<StorageRequest>()

  /// Orders a new decoder from the starter, and waits for its sockets; nil if the starter has
  /// ended.
  init?(_ libraries: DecoderLibraries, from orders: Int32) {
    self.libraries = libraries
    guard Channel(orders).offer([libraries.rawValue]) else { return nil }
    var ends = [Int32](repeating: -1, count: Int(SOCKET_MOST_DESCRIPTORS))
    var (answer, endCount, count): (UInt8, Int32, Int) = (0, 0, 0)
    repeat {
      count = socket_receive(orders, &answer, 1, &ends, &endCount)
    } while count < 0 && errno == EINTR
    guard count == 1, endCount == 2 else { return nil }
    requests = ends[0]
    storage = Channel(ends[1])
    _ = fcntl(requests, F_SETFL, O_NONBLOCK)
  }

  /// Lets the decoder finish the requests that it has, and end.
  func finish() { shutdown(requests, Int32(SHUT_WR)) }

  /// Closes the connection to a decoder that has ended.
  func closeSockets() {
    close(requests)
    close(storage.descriptor)
  }
}
