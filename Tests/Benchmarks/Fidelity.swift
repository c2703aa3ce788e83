import Foundation
import Geometry
import Photos
import SceneModel
import SceneRendering
import WorkerProtocol

/// Prints how true settled pictures are, beside those of other programs: cell art, tiles, panes and sixels, of eight
/// photos or another number.
///
/// All programs get the same pictures, and their output is decoded and compared with the photo; a cell has 8 by 16
/// pixels.
func measureFidelity(_ arguments: Arguments) throws {
  let folders =
    arguments.all.isEmpty
    ? [ProcessInfo.processInfo.environment["PHOTOGRID_TEST_PHOTOS"] ?? "Assets/Photos"]
    : arguments.all
  let count = arguments.values("--photos").last.flatMap { Int($0) } ?? 8
  // Smaller ones would be enlarged.
  let large = try folders.flatMap(files(in:)).filter {
    $0.lowercased().hasSuffix(".jpg") && vipsField("width", of: $0) ?? 0 >= 1600
  }
  guard !large.isEmpty else { throw UsageError("no JPEG of 1600 pixels or more") }
  // At even distances.
  let paths = large.count > count ? (0..<count).map { large[$0 * large.count / count] } : large
  for path in paths { print("photo: \(name(ofFile: path))") }
  let parts = arguments.values("--only")
  func isChosen(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
  if isChosen("cells") {
    let widths = arguments.values("--columns").compactMap { Int($0) }
    let sets = arguments.values("--symbols").compactMap { GlyphSet(rawValue: $0) }
    let depths = arguments.values("--colors").compactMap { ColorDepth(rawValue: $0) }
    for columns in widths.isEmpty ? [80, 200] : widths {
      measureCells(
        paths, columns, sets.isEmpty ? Stage.blocks : sets,
        depths.isEmpty ? [.full, .palette256, .palette16, .none] : depths)
    }
  }
  if isChosen("tiles") { try measureTiles(paths) }
  if isChosen("panes") { try measurePanes(paths) }
  if isChosen("sixel") { try measureSixelFidelity(paths) }
}

/// A number that the header of a photo has, by libvips.
private func vipsField(_ name: String, of path: String) -> Double? {
  Command.output(["vipsheader", "-f", name, path]).flatMap {
    Double(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

private func hasProfile(_ path: String) -> Bool {
  Command.run(["vipsheader", "-f", "icc-profile-data", path]) != nil
}

/// A photo scaled by libvips; nil if it cannot be decoded.
func scaled(_ path: String, width: Int, height: Int? = nil) -> Bitmap? {
  let height = height.map { "\($0) --size force" } ?? "9999"
  return picture {
    ["vips", "thumbnail", path, $0] + "\(width) --export-profile srgb --height \(height)".words
  }
}

/// A photo scaled to whole cells, with the planes that pictures are compared with.
private struct CellPhoto {
  static let cell = PixelSize(width: 8, height: 16)

  let bitmap: Bitmap
  let cells: CellSize
  let planes: [FloatPlane]
  /// The planes blurred by a cell's width, as seen from afar.
  let blurred: [FloatPlane]

  init?(_ path: String, columns: Int) {
    let rows = (scaled(path, width: columns * 8)?.height ?? 0) / 16
    guard rows > 0, let bitmap = scaled(path, width: columns * 8, height: rows * 16) else {
      return nil
    }
    (self.bitmap, cells) = (bitmap, CellSize(columns: columns, rows: rows))
    planes = bitmap.planes
    blurred = planes.map { $0.blurred(by: Self.cell.width) }
  }

  /// PSNR, SSIM, and the PSNR from afar of what a terminal shows after some output.
  func figures(of output: [UInt8]) -> [Double] {
    let drawn = CellArt.bitmap(of: output, size: cells).planes
    return [
      drawn.decibels(to: planes), drawn.luma.similarity(to: planes.luma),
      drawn.map { $0.blurred(by: Self.cell.width) }.decibels(to: blurred),
    ]
  }
}

private func measureCells(
  _ paths: [String], _ columns: Int, _ sets: [GlyphSet], _ depths: [ColorDepth]
) {
  let photos = paths.compactMap { CellPhoto($0, columns: columns) }
  let table = Table(
    "\n\(photos.count) photos at \(columns) columns, means", ["PSNR", "SSIM", "from afar"],
    labels: 46)
  func report(_ title: String, _ program: String, _ draw: (CellPhoto) -> [UInt8]?) {
    let figures = photos.compactMap { photo in draw(photo).map { photo.figures(of: $0) } }
    table.row(
      title.padding(toLength: 20, withPad: " ", startingAt: 0) + program,
      (0..<3).map { index in figures.map { $0[index] }.mean },
      note: figures.isEmpty ? "not installed" : "")
  }
  for (depth, glyphs) in depths.flatMap({ depth in sets.map { (depth, $0) } }) {
    // Palettes' colors are chosen for whole samples.
    let canHaveWedges = depth == .full && [.sextant, .octant].contains(glyphs)
    for hasWedges in canHaveWedges ? [false, true] : [false] {
      let title = "\(depth.rawValue) \(glyphs.rawValue)" + (hasWedges ? "+wedge" : "")
      var appearance = Appearance()
      appearance.hasWedges = hasWedges
      report(title, "photogrid") { photo in
        var renderer = CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance)
        let (metrics, picture) = (CellMetrics(cell: CellPhoto.cell), Mipmap(photo.bitmap))
        return renderer.text(of: .still(photo.bitmap), metrics: metrics) { _ in .picture(picture) }
      }
      for (name, command) in cellPeers(glyphs, depth, hasWedges) {
        report(title, name) { photo in
          let file = NSTemporaryDirectory() + "photogrid-bench-cells-\(getpid()).ppm"
          defer { unlink(file) }
          try? photo.bitmap.pixelMap.write(to: URL(filePath: file))
          let area = "\(photo.cells.columns)x\(photo.cells.rows)"
          return Command.output(
            command + (name == "timg" ? ["-g" + area] : ["--size", area]) + [file])
        }
      }
    }
  }
}

/// The programs and options for one set of glyphs and one depth.
private func cellPeers(
  _ glyphs: GlyphSet, _ depth: ColorDepth, _ hasWedges: Bool
) -> [(name: String, command: [String])] {
  let symbols =
    switch glyphs {
    case .half: "vhalf+space+solid"
    case .quadrant: "quad+half+space+solid"
    case .sextant: (hasWedges ? "wedge+" : "") + "sextant+quad+half+space+solid"
    // Debian's chafa does not have these glyphs.
    case .octant, .ascii: ""
    }
  guard !symbols.isEmpty else { return [] }
  let dithers = depth == .full ? ["none"] : ["none", "ordered", "diffusion"]
  let chafa = dithers.flatMap { dither in
    ["5", "9"].map { work in
      (
        name: "chafa \(dither == "none" ? "" : dither + " ")-w \(work)",
        command:
          ("chafa -f symbols --symbols \(symbols) -w \(work) --dither \(dither) --stretch -c "
          + depth.rawValue.replacing("palette", with: "")).words
      )
    }
  }
  let hasTimg = depth == .full && glyphs != .sextant
  return chafa + (hasTimg ? [("timg", ["timg", glyphs == .half ? "-ph" : "-pq"])] : [])
}

extension Scene {
  /// A picture that fills the picture area.
  static func still(_ picture: Bitmap) -> Scene {
    let frame = PixelRect(origin: .zero, size: picture.size)
    return Scene(
      size: picture.size, placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)])
  }
}

/// Compares tiles to those of vipsthumbnail with and without linear light; then tiles made from thumbnails.
private func measureTiles(_ paths: [String]) throws {
  let (cache, frame) = (try Scratch(), PixelSize(width: 196, height: 196))
  let references = paths.map { path in
    [[], ["--linear"]].map { options in
      // With a profile to export, it scales in Lab, which is not needed for photos in sRGB.
      let profile = hasProfile(path) ? ["--export-profile", "srgb"] : []
      return picture { ["vipsthumbnail", path, "-s", "196x196"] + profile + options + ["-o", $0] }
    }
  }
  for isCached in [false, true] {
    let worker = try WorkerConnection()
    if isCached { try worker.useThumbnails(in: cache.path) }
    let table = Table(
      "\ntiles of 196 pixels" + (isCached ? " from thumbnails of 256" : "")
        + ", beside vipsthumbnail's", ["edge energy", "PSNR", "PSNR in linear light"], labels: 8)
    var rows: [[Double]] = []
    for (path, peers) in zip(paths, references) {
      if isCached { _ = try worker.picture(path, .cacheThumbnail(.large)) }
      let own = try worker.picture(path, isCached ? .preview(frame, .fit) : .decode(frame, .fit))
      guard let own, let plain = peers[0]?.planes, let linear = peers[1]?.planes,
        own.size == peers[0]?.size
      else {
        print("not decoded to the same size: \(path)")
        continue
      }
      let planes = own.planes
      rows.append([
        planes.luma.edgeEnergy / plain.luma.edgeEnergy, planes.decibels(to: plain),
        planes.decibels(to: linear),
      ])
      table.row("", rows.last ?? [], note: name(ofFile: path))
    }
    table.row("mean", (0..<3).map { column in rows.map { $0[column] }.mean })
  }
}

/// Compares pictures for a screen of 1600 by 960, and for panes, to one step of Lanczos from all pixels.
private func measurePanes(_ paths: [String]) throws {
  let (table, worker) = (
    Table("\npanes: PSNR to one step of Lanczos", ["mean", "least"], labels: 14),
    try WorkerConnection()
  )
  for (title, width, height) in [
    ("whole screen", 1600.0, 960.0), ("two panes", 796, 960), ("three panes", 528, 960),
    ("four panes", 796, 476), ("six panes", 528, 476), ("eight panes", 394, 476),
  ] {
    let area = PixelSize(width: width, height: height)
    let values = try paths.map { path in
      guard let reference = reduced(path, to: area),
        let own = try worker.picture(path, .decode(area, .fit)), own.size == reference.size
      else { return Double.nan }
      return own.planes.decibels(to: reference.planes)
    }
    let seen = values.filter { !$0.isNaN }
    let least = zip(values, paths).first { $0.0 == seen.min() }?.1
    table.row(
      title, [seen.mean, seen.min() ?? .nan],
      note: "\(least.map(name(ofFile:)) ?? ""), \(values.count - seen.count) left out")
  }
}

/// A photo scaled to fit an area by one step of Lanczos; nil if vips would not turn it as it says.
private func reduced(_ path: String, to area: PixelSize) -> Bitmap? {
  guard let width = vipsField("width", of: path), let height = vipsField("height", of: path),
    vipsField("orientation", of: path) ?? 1 == 1
  else { return nil }
  let whole = NSTemporaryDirectory() + "photogrid-bench-whole-\(getpid()).v"
  defer { unlink(whole) }
  let copy =
    hasProfile(path)
    ? ["icc_transform", path, whole, "srgb", "--embedded"] : ["copy", path, whole]
  guard Command.run(["vips"] + copy) != nil else { return nil }
  let target = targetSize(of: PixelSize(width: width, height: height), in: area, mode: .fit)
  let (across, down) = (Double(target.width) / width, Double(target.height) / height)
  return picture {
    ["vips", "resize", whole, $0] + "\(across) --vscale \(down) --kernel lanczos3 --gap 0".words
  }
}
