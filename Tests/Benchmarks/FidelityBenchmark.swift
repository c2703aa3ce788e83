import Foundation
import Geometry
import SceneRendering

/// Measures the fidelity of settled pictures, compared with those of other programs: cell art,
/// tiles, panes and sixels.
///
/// All programs get the same pictures, and their output is decoded: every cell is drawn at 8 by 16
/// pixels and compared with the photo.
enum FidelityBenchmark {
  /// Measures photos from some folders, eight or as many as `--photos` says; `--sheets FOLDER` also
  /// writes pictures to look at, `--own` leaves the other programs out, `--only cells|tiles|panes|sixel` runs one part, `--columns`,
  /// `--symbols` and `--colors` choose one width, glyph set or color depth of the cells.
  static func run(_ arguments: [String]) throws {
    var (folders, sheets, hasPeers, only) = ([String](), String?.none, true, String?.none)
    var (widths, count) = ([80, 200], 8)
    var sets: [GlyphSet]?
    var depths: [ColorDepth]?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--sheets": sheets = rest.popFirst()
      case "--only": only = rest.popFirst()
      case "--photos": count = rest.popFirst().flatMap { Int($0) } ?? count
      case "--columns": widths = rest.popFirst().flatMap { Int($0) }.map { [$0] } ?? widths
      case "--symbols": sets = rest.popFirst().flatMap { GlyphSet(rawValue: $0) }.map { [$0] }
      case "--colors": depths = rest.popFirst().flatMap { ColorDepth(rawValue: $0) }.map { [$0] }
      case "--own": hasPeers = false
      default: folders.append(argument)
      }
    }
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("photogrid-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: temporary) }
    let paths = try FidelityPhotos.paths(in: folders, atMost: count)
    guard !paths.isEmpty else { throw UsageError(message: "no JPEG of 1600 pixels or more") }
    for path in paths { print("photo: \((path as NSString).lastPathComponent)") }
    let sheet = try sheets.map { try ContactSheet(folder: $0) }
    if only == nil || only == "cells" {
      var art = CellArtFidelity(hasPeers: hasPeers, folder: temporary, sheet: sheet)
      if let sets { art.sets = sets }
      if let depths { art.depths = depths }
      for columns in widths { art.measure(paths, columns: columns) }
    }
    if only == nil || only == "tiles" {
      try TileFidelity.measure(paths, in: temporary, sheet: sheet)
    }
    if only == nil || only == "panes" { try PaneFidelity.measure(paths, in: temporary) }
    if only == nil || only == "sixel" {
      try SixelFidelity.measure(paths, hasPeers: hasPeers, in: temporary, sheet: sheet)
    }
  }
}
