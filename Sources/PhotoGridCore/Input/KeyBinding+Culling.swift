extension KeyBinding {
  /// The keys that rate photos, in both views.
  ///
  /// Stars and labels follow a semicolon: bare digits are counts, and terminals send Alt with a key
  /// as Esc and that key, which a slow connection may separate, so that Esc would close the photo.
  /// A single key changes no file outside of culling mode, in which `x` and the digits do.
  static let culling: [KeyBinding] =
    [
      KeyBinding(keys: ["C"], command: .culling(.toggleMode), help: "cull: 0-5 x Space"),
      KeyBinding(
        keys: [";5"], command: .culling(.rate(.stars(5))), help: "5 stars (;0 - ;4, ;x rejects)"),
      KeyBinding(
        keys: [";x"], command: .culling(.rate(.stars(Rating.rejected))), help: nil),
    ]
    + (0...4).map {
      KeyBinding(keys: [";\($0)"], command: .culling(.rate(.stars($0))), help: nil)
    }
    + Rating.Label.colors.map { label in
      KeyBinding(
        keys: [";\(label.rawValue.prefix(1))"], command: .culling(.rate(.label(label))),
        help: label == .red ? "label (;y ;g ;b ;p, ;n none)" : nil)
    }
    + [KeyBinding(keys: [";n"], command: .culling(.rate(.label(nil))), help: nil)]
}
