import Foundation
import Geometry
import Photos
import SceneModel
import SceneRendering

/// Measures the fidelity of pictures of block glyphs, compared with chafa's and timg's.
struct CellArtFidelity {
  let hasPeers: Bool
  /// The folder for files that other programs read.
  let folder: URL
  let sheet: ContactSheet?

  /// The glyph sets to measure.
  var sets: [GlyphSet] = [.half, .quadrant, .sextant, .octant]
  /// The color depths to measure.
  var depths: [ColorDepth] = [.full, .palette256, .palette16, .none]

  /// A program with its options, for one set of glyphs and one depth.
  private struct Peer {
    var name: String
    var command: [String]
  }

  /// Prints the mean PSNR, SSIM and blurred PSNR of photos drawn with a width in columns.
  mutating func measure(_ paths: [String], columns: Int) {
    let photos = paths.compactMap { FidelityPhoto($0, columns: columns, in: folder) }
    print("\n\(photos.count) photos at \(columns) columns: PSNR, SSIM, PSNR from afar")
    for depth in depths {
      for glyphs in sets {
        measure(photos, glyphs, depth)
        // Palettes' colors are chosen for whole samples.
        if depth == .full, glyphs == .sextant || glyphs == .octant {
          measure(photos, glyphs, depth, hasWedges: true)
        }
      }
    }
  }

  private mutating func measure(
    _ photos: [FidelityPhoto], _ glyphs: GlyphSet, _ depth: ColorDepth, hasWedges: Bool = false
  ) {
    let title = "\(depth.rawValue) \(glyphs.rawValue)" + (hasWedges ? "+wedge" : "")
    var own = FidelityScore()
    var drawn: [Bitmap] = []
    for photo in photos {
      let bitmap = Self.ownDrawing(of: photo, glyphs, depth, hasWedges)
      own.add(PictureComparison(of: bitmap, with: photo))
      drawn.append(bitmap)
    }
    report(title, "photogrid", own.line)
    if let sheet, let photo = photos.first {
      sheet.write(photo.bitmap, "photo \(photo.cells.columns)")
    }
    let columns = photos.first?.cells.columns ?? 0
    drawn.first.map { sheet?.write($0, "\(columns) \(title) photogrid") }
    guard hasPeers else { return }
    for peer in Self.peers(glyphs, depth, hasWedges) {
      guard PeerProgram.isInstalled(peer.command[0]) else {
        report(title, peer.name, "not installed")
        continue
      }
      var score = FidelityScore()
      for (index, photo) in photos.enumerated() {
        guard let bitmap = drawing(of: photo, by: peer) else { continue }
        score.add(PictureComparison(of: bitmap, with: photo))
        if index == 0 { sheet?.write(bitmap, "\(columns) \(title) \(peer.name)") }
      }
      report(title, peer.name, score.line)
    }
  }

  private func report(_ title: String, _ name: String, _ line: String) {
    let label = title.padding(toLength: 20, withPad: " ", startingAt: 0)
    print(label + name.padding(toLength: 24, withPad: " ", startingAt: 0) + line)
  }

  private static func ownDrawing(
    of photo: FidelityPhoto, _ glyphs: GlyphSet, _ depth: ColorDepth, _ hasWedges: Bool
  ) -> Bitmap {
    var appearance = Appearance()
    appearance.hasWedges = hasWedges
    var renderer = CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance)
    let frame = PixelRect(origin: .zero, size: photo.bitmap.size)
    let scene = Scene(
      size: photo.bitmap.size,
      placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)])
    let bytes = renderer.text(of: scene, metrics: CellMetrics(cell: FidelityPhoto.cell)) { _ in
      .picture(Mipmap(photo.bitmap))
    }
    return CellArtReader.bitmap(of: bytes, size: photo.cells)
  }

  private static func peers(
    _ glyphs: GlyphSet, _ depth: ColorDepth, _ hasWedges: Bool
  ) -> [Peer] {
    let symbols: String
    switch glyphs {
    case .half: symbols = "vhalf+space+solid"
    case .quadrant: symbols = "quad+half+space+solid"
    case .sextant: symbols = (hasWedges ? "wedge+" : "") + "sextant+quad+half+space+solid"
    // Debian's chafa does not have these glyphs.
    case .octant, .ascii: return []
    }
    let colors =
      switch depth {
      case .full: "full"
      case .palette256: "256"
      case .palette16: "16"
      case .none: "none"
      }
    var peers: [Peer] = []
    for dither in depth == .full ? ["none"] : ["none", "ordered", "diffusion"] {
      for work in ["5", "9"] {
        peers.append(
          Peer(
            name: "chafa \(dither == "none" ? "" : dither + " ")-w \(work)",
            command: [
              "chafa", "-f", "symbols", "--symbols", symbols, "-w", work, "-c", colors, "--dither",
              dither, "--stretch", "--size",
            ]))
      }
    }
    if depth == .full, glyphs != .sextant {
      peers.append(Peer(name: "timg", command: ["timg", glyphs == .half ? "-ph" : "-pq"]))
    }
    return peers
  }

  private func drawing(of photo: FidelityPhoto, by peer: Peer) -> Bitmap? {
    let file = folder.appendingPathComponent("photo.ppm")
    guard (try? PixelMap.encode(photo.bitmap).write(to: file)) != nil else { return nil }
    let size = photo.cells
    let area = "\(size.columns)x\(size.rows)"
    let command =
      peer.command + (peer.name == "timg" ? ["-g" + area, file.path] : [area, file.path])
    return PeerProgram.output(of: command).map {
      CellArtReader.bitmap(of: [UInt8]($0), size: size)
    }
  }
}
