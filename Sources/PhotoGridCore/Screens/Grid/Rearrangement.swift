import Geometry

/// Tiles that move to new positions, identified by their items, since the order may change too.
///
/// As with `Animated`, each change adds a leg: for every tile, the offset from its new pose to its
/// old one, which shrinks to zero. So a second change during the first continues from the current
/// poses. A leg contains only the tiles visible before or after the change, so its cost does not
/// depend on the number of photos.
package struct Rearrangement: Equatable, Sendable {
  /// A change of the layout, as an offset for each tile that shrinks to zero.
  private struct Leg: Equatable, Sendable {
    var offsets: [ItemID: Pose]
    var timing: Timing
    var start: Instant
  }

  /// The tile of a removed item while it fades out.
  private struct ExitingTile: Equatable, Sendable {
    var item: ItemID
    /// The pose, in content coordinates.
    var animatedPose: Animated<Pose>
  }

  private var legs: [Leg] = []
  private var exitingTiles: [ExitingTile] = []
  private(set) var movingItems: [ItemID: Int] = [:]

  package init() {}

  /// Starts the motion of tiles from their old poses to their new ones.
  mutating func start(
    _ offsets: [ItemID: Pose], _ timing: Timing, at now: Instant, index: (ItemID) -> Int?
  ) {
    settle(at: now)
    if !offsets.isEmpty { legs.append(Leg(offsets: offsets, timing: timing, start: now)) }
    let moved = Set(legs.flatMap(\.offsets.keys))
    movingItems = [:]
    for item in moved { movingItems[item] = index(item) }
    exitingTiles.removeAll { index($0.item) != nil }
  }

  /// Fades out the tile of a removed item; the poses are in content coordinates.
  mutating func fade(
    _ item: ItemID, from pose: Pose, to faded: Pose, _ timing: Timing, at now: Instant
  ) {
    // Legs in progress continue, so that the tile does not jump.
    var animatedPose = Animated(from: pose, to: faded, timing, at: now)
    for leg in legs {
      guard let offset = leg.offsets[item] else { continue }
      animatedPose.displace(by: offset, leg.timing, since: leg.start)
    }
    exitingTiles.append(ExitingTile(item: item, animatedPose: animatedPose))
  }

  /// Shifts the fading tiles with content that was laid out or scrolled, by a distance in pixels.
  mutating func shiftExitingTiles(by distance: Double) {
    let offset = Pose.moved(by: distance)
    for index in exitingTiles.indices { exitingTiles[index].animatedPose.shift(by: offset) }
  }

  package mutating func settle(at now: Instant) {
    legs.removeAll { $0.timing.isOver(after: now.seconds(since: $0.start)) }
    exitingTiles.removeAll { $0.animatedPose.isOver(at: now) }
    if legs.isEmpty { movingItems = [:] }
  }

  package func isOver(at now: Instant) -> Bool {
    legs.allSatisfy { $0.timing.isOver(after: now.seconds(since: $0.start)) }
      && exitingTiles.allSatisfy { $0.animatedPose.isOver(at: now) }
  }

  /// Returns the current pose of an item's tile whose pose at rest is `pose`.
  func pose(of item: ItemID, from pose: Pose, at now: Instant) -> Pose {
    legs.reduce(pose) { pose, leg in
      guard let offset = leg.offsets[item] else { return pose }
      return pose + offset * leg.timing.remaining(after: now.seconds(since: leg.start))
    }
  }

  /// Returns the current poses of the fading tiles of removed items, in content coordinates.
  func exitingTiles(at now: Instant) -> [(item: ItemID, pose: Pose)] {
    exitingTiles.map { ($0.item, $0.animatedPose.value(at: now)) }
  }
}
