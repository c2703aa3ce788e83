import Testing

@testable import Geometry

struct AspectRatioLayoutTests {
  /// A case: ratio, mode, the proposed size, and the size that a child of 30 by 20 is proposed.
  struct Row: Sendable {
    var ratio: Double?
    var mode: ContentMode
    var offered: [Double?]
    var child: [Double?]

    init(_ ratio: Double?, _ mode: ContentMode, _ offered: [Double?], _ child: [Double?]) {
      self.ratio = ratio
      self.mode = mode
      self.offered = offered
      self.child = child
    }
  }

  @Test(arguments: [
    Row(2, .fit, [100, 100], [100, 50]), Row(2, .fill, [100, 100], [200, 100]),
    Row(2, .fit, [300, 100], [200, 100]), Row(2, .fill, [300, 100], [300, 150]),
    Row(2, .fit, [100, nil], [100, 50]), Row(2, .fill, [100, nil], [100, 50]),
    Row(2, .fit, [nil, 100], [200, 100]), Row(2, .fill, [nil, 100], [200, 100]),
    Row(2, .fit, [nil, nil], [30, 15]), Row(2, .fill, [nil, nil], [40, 20]),
    Row(2, .fit, [0, 0], [0, 0]), Row(2, .fill, [0, 100], [200, 100]),
    Row(nil, .fit, [60, 60], [60, 40]), Row(nil, .fill, [60, 60], [90, 60]),
    Row(nil, .fit, [60, nil], [60, 40]), Row(nil, .fill, [nil, 60], [90, 60]),
    Row(nil, .fit, [nil, nil], [30, 20]), Row(nil, .fill, [nil, nil], [30, 20]),
    Row(0, .fit, [60, 60], [60, 40]), Row(-1, .fit, [60, 60], [60, 40]),
    Row(.nan, .fit, [60, 60], [60, 40]), Row(.infinity, .fill, [60, 60], [90, 60]),
  ])
  func `the child is proposed the size of the given ratio that fits or fills the proposal`(row: Row)
  {
    let layout = AspectRatioLayout(ratio: row.ratio, contentMode: row.mode)

    let child = layout.childProposal(
      for: ProposedSize(width: row.offered[0], height: row.offered[1]),
      idealSize: PixelSize(width: 30, height: 20))

    #expect(child == ProposedSize(width: row.child[0], height: row.child[1]))
  }

  @Test(arguments: [[100, 50], [100, nil], [nil, 50], [nil, nil]] as [[Double?]])
  func `a disabled layout passes its proposal on to the child`(sides: [Double?]) {
    let proposal = ProposedSize(width: sides[0], height: sides[1])
    let layout = AspectRatioLayout(ratio: 2, contentMode: .fill, isEnabled: false)

    #expect(layout.childProposal(for: proposal, idealSize: nil) == proposal)
  }

  @Test(arguments: [nil, .zero, PixelSize(width: 0, height: 5)] as [PixelSize?])
  func `a child without an ideal size counts as ten by ten`(idealSize: PixelSize?) {
    let fit = AspectRatioLayout(contentMode: .fit)
    let wide = AspectRatioLayout(ratio: 2, contentMode: .fill)
    let open = ProposedSize(width: nil, height: nil)

    #expect(
      fit.childProposal(for: open, idealSize: idealSize) == ProposedSize(width: 10, height: 10))
    #expect(
      fit.childProposal(for: ProposedSize(width: 80, height: 60), idealSize: idealSize)
        == ProposedSize(width: 60, height: 60))
    #expect(
      wide.childProposal(for: open, idealSize: idealSize) == ProposedSize(width: 20, height: 10))
  }

  @Test func `the child is centred in the bounds`() {
    let bounds = PixelRect(x: 10, y: 20, width: 100, height: 100)
    var layout = AspectRatioLayout(ratio: 2, contentMode: .fit)

    #expect(
      layout.childFrame(in: bounds, idealSize: nil)
        == PixelRect(x: 10, y: 45, width: 100, height: 50))
    layout.contentMode = .fill
    #expect(
      layout.childFrame(in: bounds, idealSize: nil)
        == PixelRect(x: -40, y: 20, width: 200, height: 100))
    layout.isEnabled = false
    #expect(layout.childFrame(in: bounds, idealSize: nil) == bounds)
  }
}
