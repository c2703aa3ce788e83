import TestSupport

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Random events of a user among folders.
struct FolderEvents {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  enum Step {
    case event(Event)
    /// The listing arrives.
    case list
  }

  mutating func step(in world: FolderStory) -> Step {
    let point = PixelPoint(
      x: Double.random(in: -20...820, using: &random),
      y: Double.random(in: -20...500, using: &random))
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25:
      return .event(.key(Bool.random(using: &random) ? .enter : .backspace))
    case 25..<35: return .list
    case 35..<70:
      let keys = Array("hjklgG[]mvUFcft019 +-,nNdr/.")
      return .event(.key(.character(keys.randomElement(using: &random) ?? "j")))
    case 70..<78:
      let keys: [Key] = [.escape, .tab, .control("a"), .control("r"), .pageDown, .home, .end]
      return .event(.key(keys.randomElement(using: &random) ?? .escape))
    case 78..<84: return .event(.mouse(MouseEvent(.pressed(.left), at: point)))
    case 84..<88: return .event(.mouse(MouseEvent(.released(.left), at: point)))
    case 88..<90: return .event(.mouse(MouseEvent(.pressed(.right), at: point)))
    case 90..<92: return .event(.mouse(MouseEvent(.dragged(.right), at: point)))
    case 92..<94:
      let cells = CellSize(
        columns: Int.random(in: 0...200, using: &random),
        rows: Int.random(in: 0...60, using: &random))
      return .event(.resized(cells, .standard))
    case 94..<97:
      // Folders and photos come and go, in the order of a listing.
      let all = FolderStory.listings[world.place] ?? []
      return .event(.listingReplaced(all.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }))
    case 97:
      let folder = FolderStory.folders.keys.sorted().randomElement(using: &random)
      let samples = (0..<Int.random(in: 0...4, using: &random)).map { Photo.ID($0 + 10) }
      return .event(.folderPreviewed(folder ?? FolderStory.a, FolderPreview(samples: samples)))
    default: return .event(.tick)
    }
  }

  /// The time until the next step, in seconds.
  mutating func pause() -> Double { Double.random(in: 0...0.2, using: &random) }
}
