/// Tiles on their way to new places, told apart by their photos, since the order may change too.
///
/// As with `Animated`, each change adds a leg, for every tile the offset from its new pose to its
/// old one, which shrinks to nothing; so a second change in the middle of the first takes over from
/// where the tiles are. Only tiles that are seen before or after a change are in its leg: what it
/// costs does not depend on how many photos there are.
package struct Rearrangement: Equatable, Sendable {
  private struct Leg: Equatable, Sendable {
    var offsets: [Photo.ID: Pose]
    var timing: Timing
    var start: Instant
  }

  /// The tile of a photo that is no longer there, while it fades.
  private struct ExitingTile: Equatable, Sendable {
    var photo: Photo.ID
    /// In content coordinates, pixels.
    var way: Animated<Pose>
  }

  private var legs: [Leg] = []
  private var exitingTiles: [ExitingTile] = []
  /// The photos that any leg is about, with their present indices.
  private(set) var movingItems: [Photo.ID: Int] = [:]

  /// Tiles at rest.
  package init() {}

  /// Sends tiles on their way, given the offset from each one's new pose to its old one.
  ///
  /// `index` tells where a photo is after the change; nil where it is no longer there.
  mutating func add(
    _ offsets: [Photo.ID: Pose], _ timing: Timing, at now: Instant, index: (Photo.ID) -> Int?
  ) {
    settle(at: now)
    if !offsets.isEmpty { legs.append(Leg(offsets: offsets, timing: timing, start: now)) }
    let moved = Set(legs.flatMap(\.offsets.keys))
    movingItems = [:]
    for photo in moved { movingItems[photo] = index(photo) }
    exitingTiles.removeAll { index($0.photo) != nil }
  }

  /// Lets the tile of a photo that is gone fade, in content coordinates.
  mutating func fade(
    _ photo: Photo.ID, from pose: Pose, to faded: Pose, _ timing: Timing, at now: Instant
  ) {
    // What it was on already goes on.
    var way = Animated(from: pose, to: faded, timing, at: now)
    for leg in legs {
      guard let offset = leg.offsets[photo] else { continue }
      way.add(offset, leg.timing, since: leg.start)
    }
    exitingTiles.append(ExitingTile(photo: photo, way: way))
  }

  /// Moves all that fades along with a content that was laid out or scrolled elsewhere, in pixels.
  mutating func shiftExitingTiles(by distance: Double) {
    let offset = Pose.moved(by: distance)
    for index in exitingTiles.indices { exitingTiles[index].way.shift(by: offset) }
  }

  /// Drops what has arrived.
  package mutating func settle(at now: Instant) {
    legs.removeAll { $0.timing.isOver(after: now.seconds(since: $0.start)) }
    exitingTiles.removeAll { $0.way.isOver(at: now) }
    if legs.isEmpty { movingItems = [:] }
  }

  /// Whether every tile is in its place.
  package func isOver(at now: Instant) -> Bool {
    legs.allSatisfy { $0.timing.isOver(after: now.seconds(since: $0.start)) }
      && exitingTiles.allSatisfy { $0.way.isOver(at: now) }
  }

  /// How a photo's tile is seen at a moment whose own pose is `pose`.
  func pose(of photo: Photo.ID, from pose: Pose, at now: Instant) -> Pose {
    legs.reduce(pose) { pose, leg in
      guard let offset = leg.offsets[photo] else { return pose }
      return pose + offset * leg.timing.remaining(after: now.seconds(since: leg.start))
    }
  }

  /// How the tiles of photos that are gone are seen at a moment, in content coordinates.
  func exitingTiles(at now: Instant) -> [(photo: Photo.ID, pose: Pose)] {
    exitingTiles.map { ($0.photo, $0.way.value(at: now)) }
  }
}
