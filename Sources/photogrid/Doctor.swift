import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import WorkerProtocol

/// `--doctor`: what is known of the terminal and the codecs, and why each choice was made.
struct Doctor {
  private let traits: TerminalTraits
  private let environment: [String: String]
  private let size: CellSize?
  private let metrics: CellMetrics

  /// A report on the terminal that the program runs in.
  init(traits: TerminalTraits, environment: [String: String], size: (CellSize, CellMetrics)?) {
    self.traits = traits
    self.environment = environment
    self.size = size?.0
    metrics = size?.1 ?? .standard
  }

  /// The report, a fact a line; printable.
  var report: String {
    let rows: [(String, String)] = [
      ("version", ProgramVersion.current),
      ("TERM", variable("TERM")),
      ("COLORTERM", variable("COLORTERM")),
      ("program", variable("TERM_PROGRAM") + " " + variable("TERM_PROGRAM_VERSION")),
      ("multiplexer", traits.multiplexer ?? "none"),
      ("size", size.map { "\($0.columns)x\($0.rows) text cells" } ?? "no terminal"),
      ("cell", "\(Int(metrics.cell.width))x\(Int(metrics.cell.height)) pixels"),
      ("pictures", "cells: the one way that is built yet"),
      ("symbols", "\(traits.glyphs.value.rawValue): \(traits.glyphs.reason)"),
      ("colours", "\(traits.colors.value.rawValue): \(traits.colors.reason)"),
      ("locale", String(cString: nl_langinfo(nl_item(CODESET)))),
      ("worker", worker),
      ("formats", "JPEG by libjpeg-turbo; PNG, WebP, GIF, TIFF, HEIC and AVIF by libvips"),
    ]
    return rows.map { name, fact in
      name + String(repeating: " ", count: 14 - name.count) + PrintableText.from(fact.utf8) + "\n"
    }.joined()
  }

  private func variable(_ name: String) -> String { environment[name] ?? "-" }

  private var worker: String {
    do throws(LibraryError) {
      return try WorkerExecutable.find().path
    } catch {
      return error.words
    }
  }
}
