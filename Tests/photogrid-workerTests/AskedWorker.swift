import Geometry
import Glibc
import Photos
import TestSupport
import WorkerProtocol

@testable import PhotoLibrary

/// A worker that requests are sent to directly.
final class AskedWorker {
  private let process: WorkerProcess<DecodeProtocol>
  private var zombies = ZombieProcesses()

  init() throws { process = try WorkerProcess(.find()) }

  deinit { process.end(into: &zombies) }

  /// The whole photo, scaled to fit.
  func whole(
    _ path: [UInt8], size: PixelSize = PixelSize(width: 10_000, height: 10_000)
  ) -> (PhotoInfo, Bitmap)? {
    guard
      case .decoded(let info, let bitmap) = answer(
        .photo(path: path, .decode(size, .fit)))
    else { return nil }
    return (info, bitmap)
  }

  /// A region of the photo, and the part that it covers.
  func part(_ region: PhotoRegion, of path: [UInt8]) -> (PhotoRegion, Bitmap)? {
    guard
      case .decodedRegion(let region, let bitmap) = answer(
        .photo(path: path, .decodeRegion(region)))
    else { return nil }
    return (region, bitmap)
  }

  /// The metadata of a photo.
  func metadata(_ path: [UInt8]) -> PhotoMetadata? {
    guard case .inspected(let metadata) = answer(.photo(path: path, .inspect)) else { return nil }
    return metadata
  }

  /// Whether a request for the first frame of a photo is answered.
  func answersFrames(of path: [UInt8]) -> Bool {
    let size = PixelSize(width: 64, height: 64)
    let range = FrameRange(start: 0, count: 1)
    return answer(.photo(path: path, .frames(size, .fit, range))) != nil
  }

  /// The first frames of an animated photo.
  func frames(of path: [UInt8]) -> [Bitmap]? {
    let size = PixelSize(width: 10_000, height: 10_000)
    var frames: [Bitmap] = []
    // A busy worker sends fewer at a time.
    while frames.count < 3 {
      let range = FrameRange(start: frames.count, count: 3 - frames.count)
      guard case .frames(_, let run) = answer(.photo(path: path, .frames(size, .fit, range))),
        !run.frames.isEmpty
      else { return nil }
      frames += run.frames.map(\.bitmap)
    }
    return frames
  }

  private func answer(_ request: DecodeProtocol.Request) -> DecodeProtocol.Response? {
    process.send(request)
    for _ in 0..<200 {
      wait(for: [pollfd(reading: process.descriptor, writing: process.wantsWrite)], until: nil)
      process.flush()
      var answer: DecodeProtocol.Response?
      let ending = process.receive(ReadLimits(), payloadLimit: { .max }) { message in
        answer = message
        return .valid
      }
      if let answer { return answer }
      if ending != nil { return nil }
    }
    return nil
  }
}
