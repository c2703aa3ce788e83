/// The program's icon: a grid of tiles of which one zooms out of its place.
enum Icon {
  /// The icon as SVG, on a square of 128.
  static var svg: String {
    let tiles = (0..<9).filter { $0 != liftedTile }.map { index in
      rectangle(
        x: margin + (side + gap) * (index % 3), y: margin + (side + gap) * (index / 3), side: side,
        color: colors[index])
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128">
        <rect x="4" y="4" width="120" height="120" rx="22" fill="#1c2230"/>
      \(tiles.joined(separator: "\n"))
      \(lifted)
      </svg>

      """
  }

  /// The middle one, which is drawn over its neighbors.
  private static let liftedTile = 4
  private static let margin = 16
  private static let side = 28
  private static let gap = 6
  /// A sky that turns from morning to evening, row by row.
  private static let colors = [
    "#f6c667", "#f2a65a", "#e8795b", "#6fb7c9", "#ffffff", "#d95f76", "#3f7fae", "#4c5fa5",
    "#8a5aa8",
  ]

  private static func rectangle(x: Int, y: Int, side: Int, color: String) -> String {
    "  <rect x=\"\(x)\" y=\"\(y)\" width=\"\(side)\" height=\"\(side)\" rx=\"5\" fill=\"\(color)\"/>"
  }

  /// A photo of hills under a sun, larger than its tile.
  private static let lifted = """
      <g>
        <rect x="37" y="41" width="60" height="60" rx="8" opacity="0.35"/>
        <clipPath id="photo"><rect x="34" y="36" width="60" height="60" rx="8"/></clipPath>
        <g clip-path="url(#photo)">
          <rect x="34" y="36" width="60" height="60" fill="#bfe3f2"/>
          <circle cx="76" cy="54" r="8" fill="#ffd34d"/>
          <path d="M34 84 L54 60 L72 80 L80 72 L94 86 V96 H34 Z" fill="#2f7d6b"/>
          <path d="M34 92 Q64 78 94 92 V96 H34 Z" fill="#1e5a4d"/>
        </g>
        <rect x="34" y="36" width="60" height="60" rx="8" fill="none" stroke="#ffffff" \
    stroke-width="3"/>
      </g>
    """
}
