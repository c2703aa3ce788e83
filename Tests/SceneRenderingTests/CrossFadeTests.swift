import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// A cross-fade between photos of different shapes.
struct CrossFadeTests {
  private let metrics = CellMetrics.standard
  private let old = RGB(200, 0, 40)
  private let new = RGB(0, 100, 240)

  /// A cross-fade from a wide photo to a tall one in its middle.
  private func scene(_ share: Double) -> Scene {
    let frame = PixelRect(x: 20, y: 0, width: 20, height: 80)
    var leaving = Placement(
      photo: Photo.ID(0), frame: PixelRect(x: 0, y: 20, width: 60, height: 40), crop: .unit)
    leaving.outside = Placement.Outside(frame: frame, opacity: 1 - share)
    return Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 4)),
      placements: [
        leaving, Placement(photo: Photo.ID(1), frame: frame, crop: .unit, opacity: share),
      ], isMoving: true)
  }

  /// The painted samples over black; their fourth component is the coverage of the background.
  private func samples(_ share: Double) -> [[SIMD4<Float>]] {
    var compositor = Compositor(.pixels, appearance: Appearance())
    compositor.prepare(scene(share), metrics: metrics) { placement in
      let color = placement.photo == Photo.ID(0) ? old : new
      // A picture, so that samples are read from pixels.
      let pixels: [UInt8] = (0..<64).flatMap { _ in [color.red, color.green, color.blue, 255] }
      return .picture(Mipmap(Bitmap(width: 8, height: 8, pixels: pixels, isOpaque: true)))
    }
    let grid = compositor.grid
    return (0..<grid.height).map { row in
      compositor.paint(rows: row..<row + 1, columns: 0..<grid.width)
      return Array(compositor.band[..<grid.width])
    }
  }

  @Test(arguments: [0.0, 0.25, 0.5, 0.9, 1.0])
  func `every sample is the weighted sum of the two photos`(share: Double) {
    let old = SIMD4<Float>(Float(old.red), Float(old.green), Float(old.blue), 255)
    let new = SIMD4<Float>(Float(new.red), Float(new.green), Float(new.blue), 255)
    let samples = samples(share)
    #expect(samples.count == 80 && samples.allSatisfy { $0.count == 60 })
    for (y, row) in samples.enumerated() {
      for (x, sample) in row.enumerated() {
        let hadOld = (20..<60).contains(y)
        let getsNew = (20..<40).contains(x)
        let expected =
          (hadOld ? old * Float(1 - share) : .zero) + (getsNew ? new * Float(share) : .zero)
        let difference = sample - expected
        let most = max(
          max(abs(difference.x), abs(difference.y)), max(abs(difference.z), abs(difference.w)))
        if most > 0.6 {
          Issue.record("\(share) at \(x), \(y): \(sample) rather than \(expected)")
          return
        }
      }
    }
  }

  @Test func `if the photos do not overlap, the old one fades by itself`() throws {
    var leaving = Placement(
      photo: Photo.ID(0), frame: PixelRect(x: 0, y: 0, width: 20, height: 20), crop: .unit)
    leaving.outside = Placement.Outside(
      frame: PixelRect(x: 40, y: 0, width: 20, height: 20), opacity: 0.25)
    let grid = SampleGrid(
      .pixels, metrics: metrics, area: metrics.size(of: CellSize(columns: 6, rows: 4)))
    let layer = try #require(
      Layer(
        leaving, content: .waiting(old), on: grid, isMoving: false, appearance: Appearance()))
    let parts = layer.parted(by: leaving.outside, on: grid)
    #expect(parts.map(\.opacity) == [0.25] && parts[0].columns == layer.columns)
    leaving.outside?.opacity = 0
    #expect(layer.parted(by: leaving.outside, on: grid).isEmpty)
  }
}
