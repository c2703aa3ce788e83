/// A size offered to a child; a nil side is left to the child.
package struct ProposedSize: Equatable, Sendable {
  package var width: Double?
  package var height: Double?

  package init(width: Double?, height: Double?) {
    self.width = width
    self.height = height
  }

  package init(_ size: PixelSize) { self.init(width: size.width, height: size.height) }
}

/// A layout of one child that keeps an aspect ratio, and can be disabled without replacing the
/// child.
///
/// It follows SwiftUI's `aspectRatio` modifier, but with `isEnabled` as a property, so the child
/// keeps its identity when that changes.
package struct AspectRatioLayout: Equatable, Sendable {
  /// The width divided by the height; nil or an invalid ratio means the child's own.
  package var ratio: Double?
  /// Whether the child fits into the proposed size or fills it.
  package var contentMode: ContentMode
  /// Whether the layout applies the aspect ratio; if not, the child gets the proposal unchanged.
  package var isEnabled: Bool

  package init(ratio: Double? = nil, contentMode: ContentMode, isEnabled: Bool = true) {
    self.ratio = ratio
    self.contentMode = contentMode
    self.isEnabled = isEnabled
  }

  /// The assumed size of a child without an ideal size.
  package static let defaultIdealSize = PixelSize(width: 10, height: 10)

  /// Returns the size to offer the child.
  ///
  /// A disabled layout returns the proposal itself. An enabled one returns the size with the aspect
  /// ratio that fits or fills the proposal; a missing side follows from the other one. If both are
  /// missing, they follow from `idealSize`, the size that the child takes if it can choose; nil if
  /// it has none.
  package func childProposal(for proposal: ProposedSize, idealSize: PixelSize?) -> ProposedSize {
    guard isEnabled else { return proposal }
    let ideal = idealSize.flatMap { $0.isEmpty ? nil : $0 } ?? Self.defaultIdealSize
    let ratio = usableRatio ?? ideal.aspectRatio
    switch (proposal.width, proposal.height) {
    case (let width?, nil):
      return ProposedSize(width: width, height: width / ratio)
    case (nil, let height?):
      return ProposedSize(width: height * ratio, height: height)
    case (let width?, let height?):
      return ProposedSize(shaped(ratio, width: width, height: height))
    case (nil, nil):
      return ProposedSize(shaped(ratio, width: ideal.width, height: ideal.height))
    }
  }

  /// Returns the frame of the child, centered in the bounds.
  ///
  /// In a disabled layout, the child takes all of the bounds. With `.fill`, it can extend beyond
  /// them.
  package func childFrame(in bounds: PixelRect, idealSize: PixelSize?) -> PixelRect {
    let proposal = childProposal(for: ProposedSize(bounds.size), idealSize: idealSize)
    return PixelRect(
      center: bounds.center,
      size: PixelSize(
        width: proposal.width ?? bounds.width, height: proposal.height ?? bounds.height))
  }

  private var usableRatio: Double? { ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }

  private func shaped(_ ratio: Double, width: Double, height: Double) -> PixelSize {
    // Comparing widths keeps the limiting side free of rounding errors.
    let isWidthDecisive =
      switch contentMode {
      case .fit: width <= height * ratio
      case .fill: width >= height * ratio
      }
    return isWidthDecisive
      ? PixelSize(width: width, height: width / ratio)
      : PixelSize(width: height * ratio, height: height)
  }
}

extension PixelRect {
  /// Returns the frame of a whole photo inside this tile; the entire tile if the photo's size is
  /// unknown.
  ///
  /// The frame's size and its offset in the tile are whole placement steps, so in a tile aligned to
  /// these the frame is aligned too.
  package func wholePhoto(of photo: PixelSize?, placementStep: PixelSize) -> PixelRect {
    guard let photo, !photo.isEmpty else { return self }
    let fitted = AspectRatioLayout(contentMode: .fit).childFrame(in: self, idealSize: photo).size
    func snapped(_ length: Double, _ room: Double, _ step: Double) -> (offset: Double, side: Double)
    {
      let side = min(max((length / step).rounded(), 1) * step, max(room, step))
      return (((room - side) / 2 / step).rounded(.down) * step, side)
    }
    let (x, width) = snapped(fitted.width, size.width, placementStep.width)
    let (y, height) = snapped(fitted.height, size.height, placementStep.height)
    return PixelRect(x: minX + x, y: minY + y, width: width, height: height)
  }

  /// Whether a photo has the shape of this tile, to within a placement step.
  package func hasShape(of photo: PixelSize, placementStep: PixelSize) -> Bool {
    guard !photo.isEmpty, !size.isEmpty else { return false }
    let relative = photo.aspectRatio / size.aspectRatio
    let lost = 1 - min(relative, 1 / relative)
    return lost * width <= placementStep.width || lost * height <= placementStep.height
  }
}
