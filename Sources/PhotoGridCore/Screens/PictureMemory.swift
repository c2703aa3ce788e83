import Geometry
import SceneModel

/// The memory for the pictures on the screen.
extension Gallery {
  /// The memory that drawing takes, in bytes, as a part of the memory for pictures: for copies, such
  /// as those of arriving pictures, an eighth, but room for two pictures of a whole screen if that is
  /// at most a quarter; for frames and text at most five eighths.
  var drawingByteCount: Int {
    let (cells, memory) = (viewport.cells, options.pictureMemory)
    // ncurses has three copies of each cell.
    let text = cells.columns * cells.rows * 100
    return max(memory / 8, min(memory / 4, 16 << 20)) + min(frameByteCount + text, memory * 5 / 8)
  }

  /// The memory that frames take, in bytes: at most three eighths of that for pictures.
  var frameByteCount: Int {
    let size = viewport.pictureSize
    let bytes = size.width * size.height * Double(viewport.metrics.frameBytesPerPixel)
    return Int(min(bytes, Double(options.pictureMemory) * 3 / 8))
  }

  /// Makes the pictures of a screen smaller, so that all visible ones fit into a memory in bytes, as
  /// where a wide screen has few columns.
  ///
  /// - Returns: The memory that the visible ones take, in bytes.
  func limit(_ demands: inout ScreenDemands, to memory: Int) -> Int {
    let bytes = demands.visible.reduce(0.0) {
      $1.proximity == .visible ? $0 + byteCount(of: $1) : $0
    }
    guard bytes > Double(memory) else { return Int(bytes) }
    let scale = (Double(memory) / bytes).squareRoot()
    demands.visible = demands.visible.map { scaled($0, by: scale) }
    demands.ahead = demands.ahead.map { scaled($0, by: scale) }
    return memory
  }

  private func scaled(_ demand: Demand, by scale: Double) -> Demand {
    guard demand.region == nil else { return demand }
    // A picture is never larger than its photo, however large the demand.
    let size = demand.size.scaled(by: scale / max(1, photoScale(of: demand) ?? 1))
    var scaled = demand
    scaled.size = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
    return scaled
  }

  /// Returns the memory of the picture of a demand with the smaller levels of its mipmap, in bytes.
  private func byteCount(of demand: Demand) -> Double {
    // A rotated picture is there twice, as it was fetched and as it is shown.
    let copies = orientation(of: demand.photo) == .upright ? 1.0 : 2.0
    return pixelCount(of: demand) * 4 * 4 / 3 * copies
  }

  private func pixelCount(of demand: Demand) -> Double {
    guard demand.region == nil, let scale = photoScale(of: demand),
      let size = album.size(of: demand.photo)
    else { return demand.size.width * demand.size.height * (demand.mode == .fit ? 1 : 1.5) }
    return size.width * size.height * min(scale, 1) * min(scale, 1)
  }

  /// Returns the scale at which a photo is as large as a demand asks for; nil if its size is unknown.
  private func photoScale(of demand: Demand) -> Double? {
    guard let size = album.size(of: demand.photo), !size.isEmpty else { return nil }
    let (across, down) = (demand.size.width / size.width, demand.size.height / size.height)
    return demand.mode == .fit ? min(across, down) : max(across, down)
  }
}
