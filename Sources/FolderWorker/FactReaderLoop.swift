import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that reads the facts of many photos from the headers of their files.
///
/// It decodes nothing and links no codec: of each file a parser in Swift, which checks every bound,
/// reads a few kilobytes. So it may open files by itself, which a decoder must not.
package enum FactReaderLoop {
  /// Answers requests until the program closes the connection, and exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode)
    confinement.limitResources()
    confinement.finish(.listing)
    var reader = HeaderFactReader()
    var requests = RequestLoop<FactProtocol.Request>(channel)
    requests.run { request in
      channel.send(response(to: request, by: &reader))
    }
  }

  /// The time after which the facts so far are sent, in nanoseconds: a slow disk then delays nothing
  /// for as long as many files take.
  private static let longestTime: Int64 = 200_000_000

  /// Returns the facts of the first photos of a request, of as many as can be read in a moment.
  private static func response(
    to request: FactProtocol.Request, by reader: inout HeaderFactReader
  ) -> FactProtocol.Response {
    let start = monotonic_nanoseconds()
    reader.enter(request.photos.folder)
    request.photos.forEachName { name in
      guard reader.count == 0 || monotonic_nanoseconds() - start < longestTime else { return }
      reader.add(name)
    }
    let (facts, stamps) = reader.drain()
    return FactProtocol.Response(token: request.token, facts, stamps)
  }
}
