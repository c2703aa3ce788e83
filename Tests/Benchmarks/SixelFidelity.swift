import Foundation
import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering

/// Measures the fidelity of sixels on photos and gradients, and whether a still picture that is
/// drawn again is the same.
enum SixelFidelity {
  private static let metrics = CellMetrics(cell: PixelSize(width: 8, height: 16))
  /// In whole bands of six and cells of eight rows, as chafa has it where no terminal reports more.
  private static let size = (width: 640, height: 384)

  /// Prints the errors of photos and gradients, compared with img2sixel's and chafa's.
  static func measure(
    _ paths: [String], hasPeers: Bool, in folder: URL, sheet: ContactSheet?
  ) throws {
    print("\nsixels: squared error of a channel, its largest error, RMS from the same drawn again")
    var pictures: [(name: String, bitmap: Bitmap)] = gradients
    for path in paths {
      let decoded = FidelityPhotos.decoded(
        path, width: size.width, height: size.height, in: folder)
      if let decoded { pictures.append(((path as NSString).lastPathComponent, decoded)) }
    }
    for (name, bitmap) in pictures {
      let (first, second) = try drawnTwice(bitmap)
      report(name, "photogrid", first, bitmap, again: second)
      if pictures.first?.name == name || name == "sky" {
        sheet?.write(first, "sixel \(name) photogrid")
      }
      guard hasPeers else { continue }
      let file = folder.appendingPathComponent("sixel.ppm")
      try PixelMap.encode(bitmap).write(to: file)
      for (peer, command) in peers(of: file) {
        guard let bytes = PeerProgram.output(of: command) else {
          print("  \(peer): not installed")
          continue
        }
        guard let drawn = try? pixels(of: withoutLastLineFeed([UInt8](bytes))) else {
          print("  \(peer): not of this size")
          continue
        }
        report(name, peer, drawn, bitmap, again: nil)
        if name == "sky" { sheet?.write(drawn, "sixel \(name) \(peer)") }
      }
    }
  }

  private static func peers(of file: URL) -> [(name: String, command: [String])] {
    let cells = "\(size.width / 8)x\(size.height / 8)"
    return [
      ("img2sixel", ["img2sixel", file.path]),
      ("chafa", ["chafa", "-f", "sixel", "--stretch", "--size", cells, file.path]),
    ]
  }

  /// Returns sixels without what chafa writes after the last band, which would begin another one.
  private static func withoutLastLineFeed(_ sixels: [UInt8]) -> [UInt8] {
    var sixels = sixels
    if let end = sixels.lastIndex(of: 0x1B), end > 0, sixels[end - 1] == UInt8(ascii: "-") {
      sixels.remove(at: end - 1)
    }
    return sixels
  }

  private static func report(
    _ name: String, _ program: String, _ drawn: Bitmap, _ source: Bitmap, again: Bitmap?
  ) {
    let most = zip(drawn.pixels, source.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    let error = (0..<3).map {
      FloatPlane(drawn, channel: $0).squaredDifference(from: FloatPlane(source, channel: $0))
    }.mean
    let change = again.map { again in
      (0..<3).map {
        FloatPlane(drawn, channel: $0).squaredDifference(from: FloatPlane(again, channel: $0))
      }.mean.squareRoot()
    }
    print(
      "  " + program.padding(toLength: 10, withPad: " ", startingAt: 0)
        + String(format: "%7.2f %4d ", error, most)
        + (change.map { String(format: "%5.2f  ", $0) } ?? "       ") + name)
  }

  /// Gradients like skies and walls, in which small differences are visible.
  private static var gradients: [(name: String, bitmap: Bitmap)] {
    func made(_ color: (Double, Double) -> RGB) -> Bitmap {
      var pixels = [UInt8](repeating: 255, count: size.width * size.height * 4)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let color = color(Double(x) / Double(size.width), Double(y) / Double(size.height))
          let at = (y * size.width + x) * 4
          (pixels[at], pixels[at + 1], pixels[at + 2]) = (color.red, color.green, color.blue)
        }
      }
      return Bitmap(width: size.width, height: size.height, pixels: pixels, isOpaque: true)
    }
    func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
    return [
      ("gray", made { x, _ in RGB(byte(255 * x), byte(255 * x), byte(255 * x)) }),
      (
        "sky",
        made { x, y in RGB(byte(40 + 90 * y), byte(90 + 90 * y + 10 * x), byte(160 + 80 * y)) }
      ),
      ("hues", made { x, y in RGB(byte(255 * x), byte(255 * y), byte(255 * (1 - x))) }),
    ]
  }

  /// Draws a photo as a still picture, and again after the screen was forgotten and half of it was
  /// covered for a moment.
  private static func drawnTwice(_ photo: Bitmap) throws -> (Bitmap, Bitmap) {
    let frame = PixelRect(origin: .zero, size: photo.size)
    let scene = Scene(
      size: photo.size, placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)])
    let picture = Mipmap(photo)
    var renderer = SixelRenderer(PictureTraits(sixelLimit: PixelSize(width: 4096, height: 4096)))
    var bytes = FrameBytes()
    var output: [UInt8] = []
    func draw() {
      repeat {
        bytes.removeAll()
        renderer.frame(
          for: scene, metrics: metrics, content: { _ in .picture(picture) }, into: &bytes)
        output += bytes.picture
      } while renderer.isUnfinished
    }
    draw()
    let first = try pixels(of: output)
    renderer.mask = CellRect(
      origin: CellPoint(column: 7, row: 3), size: CellSize(columns: 31, rows: 9))
    draw()
    renderer.mask = nil
    draw()
    return (first, try pixels(of: output))
  }

  /// Returns the picture that a terminal shows after some output.
  private static func pixels(of output: [UInt8]) throws -> Bitmap {
    let area = CellSize(columns: size.width / 8, rows: size.height / 16)
    var screen = ScreenReader(columns: area.columns, rows: area.rows + 1)
    screen.canvas = PixelCanvas(
      columns: area.columns, rows: area.rows + 1, cellWidth: 8, cellHeight: 16)
    screen.feed(output)
    guard let canvas = screen.canvas, !canvas.pictures.isEmpty else {
      throw UsageError(message: "no pictures")
    }
    var bytes: [UInt8] = []
    for pixel in canvas.pixels[..<(size.width * size.height)] {
      bytes += [UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255), 255]
    }
    return Bitmap(width: size.width, height: size.height, pixels: bytes, isOpaque: true)
  }
}
