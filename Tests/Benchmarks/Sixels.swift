import Foundation
import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering

/// Photos that fill a screen of 1600 by 1000, beside `img2sixel` (Debian's libsixel-bin) in its default quality.
func measureSixels(_ arguments: Arguments) throws {
  let (width, height) = (1600, 1000)
  let photos = try arguments.all.flatMap(files(in:)).compactMap { path in
    // The middle of the photo, scaled to cover the area; the word is libvips's.
    let options = "\(width) --height \(height) --crop centre --export-profile srgb".words
    let photo = picture { ["vips", "thumbnail", path, $0] + options }
    return photo.map { (name: name(ofFile: path), bitmap: $0) }
  }
  let peers = [("img2sixel", ["img2sixel"])]
  try compare(photos.filter { $0.bitmap.width == width && $0.bitmap.height == height }, 7, peers)
}

/// Smaller photos, and gradients, in which small differences are visible, beside chafa too.
func measureSixelFidelity(_ paths: [String]) throws {
  // In whole bands of six and cells of eight rows, as chafa has it where no terminal reports more.
  let (width, height) = (640, 384)
  func gradient(_ color: (Double, Double) -> [Double]) -> Bitmap {
    let pixels = (0..<width * height).flatMap { index in
      let (x, y) = (Double(index % width) / Double(width), Double(index / width) / Double(height))
      return color(x, y).map { UInt8(max(0, min(255, $0.rounded()))) } + [255]
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
  }
  let gradients = [
    ("gray", gradient { x, _ in [255 * x, 255 * x, 255 * x] }),
    ("sky", gradient { x, y in [40 + 90 * y, 90 + 90 * y + 10 * x, 160 + 80 * y] }),
    ("hues", gradient { x, y in [255 * x, 255 * y, 255 * (1 - x)] }),
  ]
  let photos = paths.compactMap { path in
    scaled(path, width: width, height: height).map { (name(ofFile: path), $0) }
  }
  let chafa = ["chafa", "-f", "sixel", "--stretch", "--size", "\(width / 8)x\(height / 8)"]
  try compare(gradients + photos, 1, [("img2sixel", ["img2sixel"]), ("chafa", chafa)])
}

/// Prints what pictures cost as sixels, how true they are, and whether they are the same when drawn again.
private func compare(
  _ pictures: [(name: String, bitmap: Bitmap)], _ runs: Int,
  _ peers: [(name: String, command: [String])]
) throws {
  let scratch = try Scratch()
  let file = scratch.file("photo.ppm")
  let columns = "CPU ms,longest frame or clock,kB,absolute error,squared,largest,RMS drawn again"
    .components(separatedBy: ",")
  let table = Table(
    "\nsixels, medians of \(runs) runs; errors of a channel, 0 to 255", columns, labels: 12)
  var shares: [[[Double]]] = peers.map { _ in [] }
  for (title, picture) in pictures {
    let own = try draw(picture, runs)
    table.row("photogrid", own, note: "\(title), \(picture.width)x\(picture.height)")
    try picture.pixelMap.write(to: URL(filePath: file))
    for (number, (name, command)) in peers.enumerated() {
      let costs = (0..<runs).compactMap { _ in Command.run(command + [file]) }
      guard var bytes = Command.output(command + [file]) else {
        table.row(name, [], note: "not installed")
        continue
      }
      // What chafa writes after the last band would begin another one.
      if let end = bytes.lastIndex(of: 0x1B), end > 0, bytes[end - 1] == UInt8(ascii: "-") {
        bytes.remove(at: end - 1)
      }
      let figures =
        [
          costs.map(\.processor).median * 1000, costs.map(\.clock).median * 1000,
          Double(bytes.count) / 1000,
        ]
        + errors(of: try decoded(bytes, like: picture), against: picture)
      table.row(name, figures)
      shares[number].append(zip(own, figures).map { $0 / max($1, 1e-9) })
    }
  }
  for (peer, shares) in zip(peers, shares) where !shares.isEmpty {
    table.row("of it", shares.medians, note: "\(peer.name), medians")
    table.row("  at worst", shares[0].indices.map { column in shares.map { $0[column] }.most })
  }
}

/// Draws a picture over a waiting tile, as when it has just been decoded, until everything has been sent: the cost, the
/// errors, and how far it is from the same drawn again, after half of it was covered for a moment.
private func draw(_ picture: Bitmap, _ runs: Int) throws -> [Double] {
  var renderer = SixelRenderer(PictureTraits(sixelLimit: PixelSize(width: 4096, height: 4096)))
  let (mipmap, scene) = (Mipmap(picture), Scene.still(picture))
  let metrics = CellMetrics(cell: PixelSize(width: 8, height: 16))
  /// The output, and the milliseconds of each frame.
  func draw(_ content: TileContent) -> (output: [UInt8], times: [Double]) {
    var (output, times, bytes) = ([UInt8](), [Double](), FrameBytes())
    repeat {
      bytes.removeAll()
      times.append(
        processorMilliseconds {
          renderer.frame(for: scene, metrics: metrics, content: { _ in content }, into: &bytes)
        })
      output += bytes.picture
    } while renderer.isUnfinished
    return (output, times)
  }
  let frames = (0..<runs).map { _ in
    _ = draw(.waiting(nil))
    return draw(.picture(mipmap))
  }
  let output = frames.last?.output ?? []
  let first = try decoded(output, like: picture)
  renderer.mask = CellRect(
    origin: CellPoint(column: 7, row: 3), size: CellSize(columns: 31, rows: 9))
  let covered = draw(.picture(mipmap)).output
  renderer.mask = nil
  let again = try decoded(output + covered + draw(.picture(mipmap)).output, like: picture)
  return [
    frames.map { $0.times.reduce(0, +) }.median, frames.map(\.times.most).median,
    Double(output.count) / 1000,
  ] + errors(of: first, against: picture) + [errors(of: again, against: first)[1].squareRoot()]
}

/// The picture that a terminal shows after some output, of the size of another.
private func decoded(_ output: [UInt8], like picture: Bitmap) throws -> Bitmap {
  // One more row, for the bar.
  let (columns, rows) = ((picture.width + 7) / 8, (picture.height + 15) / 16 + 1)
  var screen = ScreenReader(columns: columns, rows: rows)
  screen.canvas = PixelCanvas(columns: columns, rows: rows, cellWidth: 8, cellHeight: 16)
  screen.feed(output)
  guard let canvas = screen.canvas, !canvas.pictures.isEmpty else {
    throw UsageError("no pictures")
  }
  let faults = canvas.faults.filter { !$0.contains("background") && !$0.contains("last row") }
  guard faults.isEmpty else { throw UsageError(faults.joined(separator: ", ")) }
  let pixels = canvas.pixels[..<(picture.width * picture.height)].withUnsafeBytes { Array($0) }
  return Bitmap(width: picture.width, height: picture.height, pixels: pixels, isOpaque: true)
}

/// The mean absolute and squared, and the largest difference of the channels of two pictures.
private func errors(of drawn: Bitmap, against photo: Bitmap) -> [Double] {
  var (sum, most, squares) = (0, 0, 0)
  for index in drawn.pixels.indices where index % 4 != 3 {
    let difference = abs(Int(drawn.pixels[index]) - Int(photo.pixels[index]))
    sum += difference
    most = max(most, difference)
    squares += difference * difference
  }
  let count = Double(drawn.pixels.count / 4 * 3)
  return [Double(sum) / count, Double(squares) / count, Double(most)]
}
