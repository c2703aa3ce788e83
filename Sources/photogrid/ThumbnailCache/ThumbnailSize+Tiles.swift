import PhotoGridCore
import SceneRendering
import TerminalIO
import WorkerProtocol

extension ThumbnailSize {
  /// Returns the thumbnail size for the largest tiles of a configuration, at least `large`, which
  /// file managers use.
  static func tiles(of configuration: Configuration) -> ThumbnailSize {
    let (terminal, window) = (ProcessContext.terminal, ProcessContext.window)
    // The size of tiles depends on the terminal, if there is one.
    let capabilities =
      window.map { TerminalExamination(terminal, window: $0).capabilities }
      ?? TerminalCapabilities(environment: terminal)
    let traits = TerminalTraits(capabilities, configuration: configuration)
    let pictures = traits.pictures.value
    let renderer = pictures.renderer(traits.pictureTraits(for: pictures))
    let viewport = Viewport(window ?? .unknown, cell: capabilities.measurement.cell)
    let metrics = viewport.metrics
    let count = 60
    let layout = configuration.view.layout.snapped(
      count, in: metrics.size(of: configuration.view.geometry ?? viewport.pictureCells),
      metrics: metrics)
    let samples = renderer.samplesPerPixel(cell: metrics.cell)
    let side = (0..<count).map { index in
      let tile = layout.frame(at: index).size
      // Most photos have an aspect ratio of up to 3 : 2 and fill their tiles; in rows, tiles have
      // the photos' shapes.
      let factor = configuration.view.layout.kind == .rows ? 1 : 1.5
      return Int(min(factor * max(tile.width, tile.height) * samples, 10_000).rounded(.up))
    }.max()
    let size = ThumbnailSize(holding: (side ?? 0, side ?? 0)) ?? .doubleExtraLarge
    return max(size, .large)
  }
}
