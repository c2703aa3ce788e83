import Geometry
import SceneModel
import Testing

@testable import TerminalIO

/// The mouse: reports in cells and in pixels.
extension InputDecoderTests {
  @Test
  func `only the last of adjacent movements is kept, but all presses and releases are`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let events = decoder.events(
      Array(
        ("\u{1B}[<0;1;1M\u{1B}[<32;2;1M\u{1B}[<32;3;1M\u{1B}[<0;3;1m"
          + "\u{1B}[<0;4;1M\u{1B}[<32;5;1M\u{1B}[<35;6;1M\u{1B}[<35;7;1M").utf8))

    let kinds = events.compactMap { event in
      if case .mouse(let mouse) = event { mouse.kind } else { nil }
    }
    let columns = events.compactMap { event in
      if case .mouse(let mouse) = event { mouse.position.x } else { nil }
    }
    #expect(
      kinds == [
        .pressed(.left), .dragged(.left), .released(.left), .pressed(.left), .dragged(.left),
        .moved,
      ])
    #expect(columns == [5, 25, 25, 35, 45, 65])
  }

  @Test
  func `a pointer outside the window is at the nearest edge`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let events = decoder.events(Array("\u{1B}[<32;99999999999;0M".utf8))
    let above = decoder.events(Array("\u{1B}[<32;-3;-4M".utf8))

    #expect(events == [.mouse(MouseEvent(.dragged(.left), at: PixelPoint(x: 795, y: 10)))])
    #expect(above == [.mouse(MouseEvent(.dragged(.left), at: PixelPoint(x: 5, y: 10)))])
  }

  @Test
  func `mouse reports are in pixels after the terminal has confirmed it, and in cells before`() {
    var decoder = InputDecoder(viewport: Self.viewport)

    let events = decoder.events(
      Array(
        ("\u{1B}[<0;12;6M\u{1B}[<0;12;6m\u{1B}[?1016;1$y\u{1B}[<0;105;101M\u{1B}[<0;105;101m"
          + "\u{1B}[?1016;2$y\u{1B}[<0;12;6M").utf8))

    let positions = events.compactMap { event in
      if case .mouse(let mouse) = event { mouse.position } else { nil }
    }
    let cell = PixelPoint(x: 115, y: 110)
    // Pixels count from 1.
    let pixel = PixelPoint(x: 104.5, y: 100.5)
    #expect(positions == [cell, cell, pixel, pixel, cell])
  }

  @Test
  func `a pixel outside the window is at the nearest edge`() {
    var decoder = InputDecoder(viewport: Self.viewport)
    _ = decoder.events(Array("\u{1B}[?1016;1$y".utf8))

    let events = decoder.events(Array("\u{1B}[<32;99999999999;0M".utf8))
    let above = decoder.events(Array("\u{1B}[<32;-3;9999M".utf8))

    #expect(events == [.mouse(MouseEvent(.dragged(.left), at: PixelPoint(x: 799.5, y: 0.5)))])
    #expect(above == [.mouse(MouseEvent(.dragged(.left), at: PixelPoint(x: 0.5, y: 479.5)))])
  }
}
