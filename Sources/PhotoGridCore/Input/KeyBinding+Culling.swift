extension KeyBinding {
  /// The keys that rate photos, in every view.
  ///
  /// Stars and labels are typed after a semicolon, since bare digits are counts. Alt is no
  /// alternative: terminals send Alt and a key as Esc followed by the key, and if a slow connection
  /// separates the two, Esc closes the photo. Only in culling mode do single keys rate: `x` and the
  /// digits.
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
