import Geometry
import Photos
import SceneModel

/// The known information about a photo or folder.
package struct Information: Equatable, Sendable {
  package var name: String
  /// The printable path of the folder that the photo or folder is in.
  package var folderPath: String
  /// The printable names of the raw files that are one photo with the file.
  package var rawFiles: [String] = []
  /// The printable name of a live photo's film; nil for any other photo, or until that was looked for.
  package var film: String?
  package var info: PhotoInfo?
  /// The date of the file's last modification, as text; nil if unknown.
  package var modified: String?
  /// The reason why the photo cannot be shown; nil if it can.
  package var failure: String?
  /// The camera's settings and the place; nil until that part of the file has been read.
  package var metadata: PhotoMetadata?
  /// The date of the photo; nil if nothing tells it.
  package var date: PhotoDate?
  package var rating: Rating?
  package var histogram: Histogram?

  /// The preview of the folder; nil for a photo, or until the folder has been read.
  package var folder: FolderPreview?
  /// Whether the information is about a folder.
  package var isFolder = false

  package init(name: String, folderPath: String) {
    self.name = name
    self.folderPath = folderPath
  }

  /// Returns the panel, which has the same width for every photo, so that only the text changes.
  ///
  /// - `room`: The available space, in cells.
  /// - `isPlain`: Whether to restrict symbols and the histogram to ASCII.
  package func panel(in room: CellSize, isPlain: Bool) -> Panel {
    let lines = lines(in: room, isPlain: isPlain)
    var panel = Panel(
      title: CellText("Information").truncatedTail(to: room.columns).string,
      lines: lines.map { $0.dimmed + $0.text })
    let first = panel.lines.first ?? ""
    panel.lines = [CellText(first).padded(to: room.columns)] + panel.lines.dropFirst()
    panel.spans = lines.enumerated().map { number, line in
      Panel.Span(line: number, columns: 0..<line.dimmed.count, style: .dimmed)
    }
    return panel
  }

  /// A line of the panel.
  struct Line {
    /// A label, as wide as all labels, or a row of the histogram.
    var dimmed = ""
    /// A part of the value.
    var text = ""
  }

  /// Returns the panel's text, most important first.
  ///
  /// - Returns: Lines that fit the space; lines at the end are dropped if there are too many.
  func lines(in room: CellSize, isPlain: Bool) -> [Line] {
    let labelWidth = room.columns >= 28 ? 10 : 0
    let groups = groups(Glyphs(isPlain: isPlain)).filter { !$0.isEmpty }.map { rows in
      rows.flatMap { row in
        CellText.wrapped(row.parts, to: room.columns - labelWidth, separator: row.separator)
          .enumerated().map { number, text in
            let label = number == 0 && labelWidth > 0 ? row.label : ""
            return Line(dimmed: CellText(label).padded(to: labelWidth), text: text)
          }
      }
    }
    let least = groups.reduce(histogram == nil ? 0 : Self.minHistogramRows + 1) { $0 + $1.count }
    let gap = least + groups.count - 1 <= room.rows ? [Line()] : []
    var lines = Array(groups.joined(separator: gap).prefix(room.rows))
    let left = room.rows - lines.count - 1
    if let histogram, left >= Self.minHistogramRows {
      let drawn = histogram.drawn(
        columns: room.columns, rows: min(left, Self.maxHistogramRows), isPlain: isPlain)
      lines += ([""] + drawn).map { Line(dimmed: $0) }
    }
    return lines
  }

  /// The smallest height of a histogram, in rows of text.
  private static let minHistogramRows = 3

  /// The largest height of a histogram, in rows of text.
  private static let maxHistogramRows = 6

  /// A label, and its value in parts that are not broken across lines.
  private struct Row {
    var label: String
    var parts: [String]
    /// What is between two parts on a line.
    var separator = "  "
  }

  private struct Glyphs {
    let times, dot, degree: String

    init(isPlain: Bool) { (times, dot, degree) = isPlain ? ("x", ",", " deg") : ("×", " ·", "°") }
  }

  /// Returns the words about the photo, the circumstances in which it was taken, and its file.
  private func groups(_ glyphs: Glyphs) -> [[Row]] {
    let error = Self.row("error", [failure])
    guard !isFolder else {
      return [
        error + Self.row("kind", ["folder"]) + Self.row("photos", [folder.map(Self.photoCount)]),
        Self.row("name", [name]) + Self.row("folder", [folderPath]),
      ]
    }
    return [error + words, circumstances(glyphs), file(glyphs)]
  }

  /// The title, the caption, the rating, the keywords, and the people.
  private var words: [Row] {
    let words = metadata?.words
    func list(_ label: String, _ texts: [String], _ isCut: Bool) -> [Row] {
      let parts = texts + (isCut ? ["and more"] : [])
      return Self.row(label, parts.dropLast().map { $0 + "," } + parts.suffix(1), " ")
    }
    return Self.row("title", [words?.title])
      + Self.row("caption", words?.caption?.split(separator: " ").map(String.init) ?? [], " ")
      + Self.row("rating", [rating?.words])
      + list("keywords", words?.keywords ?? [], false)
      + list("people", words?.people ?? [], words?.isPeopleCut == true)
  }

  /// Returns when, where, and with what the photo was taken.
  private func circumstances(_ glyphs: Glyphs) -> [Row] {
    let zone = date.flatMap(Self.zone(of:))
    let taken = Self.row(
      "taken", [date.map { Self.words($0, zone) }, zone, date.flatMap(Self.origin(of:))])
    guard let metadata else {
      return taken + (failure == nil ? Self.row("camera", [isReading(glyphs)]) : [])
    }
    let exposure = [
      metadata.exposureTime.map(Self.exposureTime),
      metadata.aperture.map { "f/\(Self.number($0, decimals: 1))" },
      metadata.sensitivity.map { "ISO \($0)" },
      metadata.focalLength.map { "\(Self.number($0, decimals: 1)) mm" },
    ]
    let location = metadata.location.map {
      [
        Self.degrees($0.latitude, glyphs.degree, "N", "S"),
        Self.degrees($0.longitude, glyphs.degree, "E", "W"),
      ]
    }
    return taken + Self.row("place", location ?? []) + Self.row("camera", [metadata.camera])
      + Self.row("lens", [metadata.lens]) + Self.row("exposure", exposure)
  }

  /// Returns the name, the folder, and the properties of the file, and the files that belong to it.
  private func file(_ glyphs: Glyphs) -> [Row] {
    var rows = Self.row("name", [name]) + Self.row("folder", [folderPath])
    let isFilm = info?.format == .film
    if let info {
      let (width, height) = (Int(info.size.width), Int(info.size.height))
      let pixels =
        width > 0 && height > 0
        ? ["\(width)\(glyphs.times)\(height)", Self.megapixels(info.size)] : []
      rows += Self.row("size", pixels + [ByteCount.text(Int(info.stamp.byteCount))])
      rows += Self.row(
        "format",
        [
          Self.formatName(info.format), info.length.map(Self.length),
          isFilm ? info.metadata?.profile ?? metadata?.profile : nil,
          info.frameRate.map { "\(Self.number($0, decimals: 2)) frames/s" },
          info.frameCount > 1 ? "\(info.frameCount) frames" : nil,
          info.isIncomplete ? "incomplete" : nil,
        ])
    }
    if let metadata, !isFilm { rows += Self.row("color", [metadata.profile ?? "sRGB assumed"]) }
    rows += Self.row("raw file", rawFiles)
    if let film {
      rows += Self.row("video", [film])
    } else if info?.holdsFilm == true {
      rows += Self.row("video", ["inside the photo", metadata?.filmLength.map(Self.length)])
    }
    return rows + Self.row("changed", [modified])
  }

  /// Returns a row with the known parts; no row if all are nil.
  private static func row(
    _ label: String, _ parts: [String?], _ separator: String = "  "
  ) -> [Row] {
    let known = parts.compactMap(\.self)
    return known.isEmpty ? [] : [Row(label: label, parts: known, separator: separator)]
  }

  /// Returns the number of photos that a folder's preview has found, as text.
  private static func photoCount(_ glance: FolderPreview) -> String {
    if glance.failure != nil { return "not readable" }
    let count = glance.samples.count
    return count == 0 ? "none" : count < FolderPreview.maxSamples ? "\(count)" : "\(count) or more"
  }

  private func isReading(_ glyphs: Glyphs) -> String { glyphs.times == "x" ? "..." : "…" }

  // MARK: - Formatting

  private static func formatName(_ format: ImageFormat) -> String {
    switch format {
    case .film: "video"
    case .webp: "WebP"
    case .raw: "raw"
    case .jxl: "JPEG XL"
    case .jp2: "JPEG 2000"
    case .hdr: "Radiance"
    case .exr: "OpenEXR"
    case .jpeg, .png, .gif, .tiff, .heic, .avif, .bmp, .tga, .svg, .fits, .ico, .psd, .pcx, .dds,
      .pnm, .xcf, .ras, .xpm:
      format.rawValue.uppercased()
    }
  }

  private static func megapixels(_ size: PixelSize) -> String {
    let millions = size.width * size.height / 1e6
    return "\(number(millions, decimals: millions < 100 ? 1 : 0)) MP"
  }

  private static func words(_ date: PhotoDate, _ zone: String?) -> String {
    String(date.iso8601.dropLast(zone?.count ?? 0).map { $0 == "T" ? " " : $0 })
  }

  /// Returns the offset from UTC, such as "+02:00"; nil if it is not known.
  private static func zone(of date: PhotoDate) -> String? {
    date.precision == .second && date.time.offset != nil ? String(date.iso8601.suffix(6)) : nil
  }

  /// Returns where a date was found; nil for the usual place.
  private static func origin(of date: PhotoDate) -> String? {
    switch date.source {
    case .metadata: nil
    case .sidecar: "from its sidecar"
    case .xmp: "from XMP"
    case .iptc: "from IPTC"
    case .text: "from PNG text"
    case .name: "from its name"
    case .folder: "from its folder"
    case .modified: "last modified"
    }
  }

  static func exposureTime(_ seconds: Double) -> String {
    guard seconds < 0.3 else { return "\(number(seconds, decimals: 1)) s" }
    return "1/\(Int((1 / max(seconds, 1e-7)).rounded())) s"
  }

  /// Returns the length of a film as players write it: "0:42", "1:02:03".
  package static func length(_ seconds: Double) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let whole = Int(max(0, min(seconds, 1e9)).rounded())
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":\(padded(whole % 60))"
  }

  private static func degrees(
    _ value: Double, _ sign: String, _ positive: String, _ negative: String
  ) -> String {
    "\(number(abs(value), decimals: 5))\(sign) \(value < 0 ? negative : positive)"
  }

  /// Returns a number with at most the given number of decimals, without trailing zeros; "?" if it
  /// is not finite, or its absolute value is a trillion or more.
  static func number(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: scale)
    var fraction = String(String(scale + rest).dropFirst())
    while fraction.last == "0" { fraction.removeLast() }
    return (value < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}

/// The distribution of brightness in a picture.
package struct Histogram: Equatable, Sendable {
  /// The number of pixels of each brightness, from black to white; 256 counts.
  package private(set) var counts: [Int]

  /// The largest number of pixels that are counted, if a mipmap level of that size exists: more
  /// would make no visible difference.
  private static let maxCountedPixels = 1 << 16

  /// Counts the pixels of a picture by brightness, with the luma weights of ITU-R BT.709.
  ///
  /// Fully transparent pixels are ignored.
  package init(_ picture: Mipmap) {
    let bitmap =
      picture.levels.first { $0.width * $0.height <= Self.maxCountedPixels } ?? picture.full
    counts = Array(repeating: 0, count: 256)
    let pixels = bitmap.pixels
    for index in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[index + 3] > 0 {
      let red = Int(pixels[index]) * 54
      let green = Int(pixels[index + 1]) * 183
      let blue = Int(pixels[index + 2]) * 19
      counts[min((red + green + blue + 128) >> 8, 255)] += 1
    }
  }

  /// Returns the heights of the columns, from 0 to 1, dark to bright.
  ///
  /// The first and the last column, for black and white, are clipped to the height of the others:
  /// otherwise a dark frame would leave nothing else visible.
  package func heights(columns: Int) -> [Double] {
    guard columns > 0 else { return [] }
    let sums = (0..<columns).map { column in
      let (first, last) = (column * 256 / columns, (column + 1) * 256 / columns)
      let bins = counts[first..<max(last, first + 1)]
      return Double(bins.reduce(0, +)) / Double(bins.count)
    }
    let inner = sums.dropFirst().dropLast().max() ?? 0
    let top = inner > 0 ? inner : sums.max() ?? 0
    return sums.map { top > 0 ? min($0 / top, 1) : 0 }
  }

  /// Returns the histogram drawn as rows of text.
  ///
  /// - Returns: The rows, top to bottom.
  package func drawn(columns: Int, rows: Int, isPlain: Bool) -> [String] {
    let steps: [Character] = isPlain ? Array(" .:#") : Array(" ▁▂▃▄▅▆▇█")
    let most = steps.count - 1
    let levels = heights(columns: columns).map { height in
      // Any nonzero count remains visible.
      height > 0 ? max(Int((height * Double(rows * most)).rounded()), 1) : 0
    }
    return (0..<rows).reversed().map { row in
      String(levels.map { steps[min(max($0 - row * most, 0), most)] })
    }
  }
}
