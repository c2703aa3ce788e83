/// The size that a child is offered; nil leaves a side to the child.
package struct ProposedSize: Equatable, Sendable {
  package var width: Double?
  package var height: Double?

  /// A proposal with the given sides.
  package init(width: Double?, height: Double?) {
    self.width = width
    self.height = height
  }

  /// A proposal of a whole size.
  package init(_ size: PixelSize) {
    self.init(width: size.width, height: size.height)
  }
}

/// A layout of one child that keeps a shape, and can be switched off without a change around it.
///
/// It follows SwiftUI's `aspectRatio` modifier, but with `isEnabled` as a property: what is inside
/// stays the same child when it changes.
package struct AspectRatioLayout: Equatable, Sendable {
  /// Width by height; nil, or what is no ratio, means the child's own.
  package var ratio: Double?
  package var contentMode: ContentMode
  package var isEnabled: Bool

  /// A layout that gives its child a shape.
  package init(ratio: Double? = nil, contentMode: ContentMode, isEnabled: Bool = true) {
    self.ratio = ratio
    self.contentMode = contentMode
    self.isEnabled = isEnabled
  }

  /// The size of a child that has none.
  package static let defaultIdealSize = PixelSize(width: 10, height: 10)

  /// What the child is offered.
  ///
  /// Disabled, what came in. Enabled, the size of the ratio that fits or fills it; where one side is
  /// open it follows from the other, and where both are, from the child's ideal size, which is the
  /// size that it takes where it may choose; nil if it has none.
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

  /// Where the child lies: in the middle, in the size that it is offered for the bounds.
  ///
  /// Disabled, a child takes all of the bounds, as a photo does. Filling, it may reach beyond them.
  package func childFrame(in bounds: PixelRect, idealSize: PixelSize?) -> PixelRect {
    let proposal = childProposal(for: ProposedSize(bounds.size), idealSize: idealSize)
    return PixelRect(
      center: bounds.center,
      size: PixelSize(
        width: proposal.width ?? bounds.width, height: proposal.height ?? bounds.height))
  }

  private var usableRatio: Double? {
    ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  private func shaped(_ ratio: Double, width: Double, height: Double) -> PixelSize {
    // Comparing widths keeps the side that decides without a rounding error.
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
