import Geometry

/// The keys of photos side by side.
extension KeyTable {
  static let compare = section(
    "Compare",
    line(
      .comparison(.start), ["="],
      "Compare marked photos, duplicates, or this photo and the next",
      grid,
      as: "side by side difference this and the next"))

  static let inComparison = section(
    "In a comparison",
    group(
      "Focus the next or previous photo", comparison,
      entry(.comparison(.focusNext), ["Tab"], "Focus the next photo"),
      entry(.comparison(.focusPrevious), ["Shift-Tab"], "Focus the previous photo")),
    group(
      "Move the focus", comparison,
      entry(.comparison(.focus(.left)), ["Left"], "Focus the photo on the left"),
      entry(.comparison(.focus(.right)), ["Right"], "Focus the photo on the right"),
      entry(.comparison(.focus(.up)), ["Up"], "Focus the photo above"),
      entry(.comparison(.focus(.down)), ["Down"], "Focus the photo below")),
    line(
      .navigation(.next), ["n", "Space"], "Show the next photos", comparison, as: "forward"),
    line(
      .navigation(.previous), ["p", "BackSpace"], "Show the previous photos", comparison,
      as: "back"),
    group(
      "Pan all photos, or show others if not zoomed in", comparison,
      entry(.navigation(.left), ["h"], "Pan all photos left, or show the previous photos"),
      entry(.navigation(.down), ["j"], "Pan all photos down"),
      entry(.navigation(.up), ["k"], "Pan all photos up"),
      entry(.navigation(.right), ["l"], "Pan all photos right, or show the next photos")),
    line(
      .comparison(.zoomAlone), ["Z"], "Zoom only this photo to 100% or back", comparison,
      as: "alone"),
    group(
      "Pan only this photo", comparison,
      entry(.comparison(.panAlone(.left)), ["H"], "Pan left, this photo only"),
      entry(.comparison(.panAlone(.down)), ["J"], "Pan down, this photo only"),
      entry(.comparison(.panAlone(.up)), ["K"], "Pan up, this photo only"),
      entry(.comparison(.panAlone(.right)), ["L"], "Pan right, this photo only")),
    line(
      .comparison(.pin), ["P"], "Pin this photo while the others change", comparison,
      as: "keep hold lock"),
    line(
      .comparison(.remove), ["x"], "Remove from the comparison", comparison, as: "take out drop"),
    line(.navigation(.open), ["Enter"], "Open only this photo", comparison, as: "close"),
    mouse("Click", "Focus a photo", comparison),
    mouse("Shift-wheel", "Zoom only this photo", comparison),
    mouse("Shift-drag", "Pan only this photo", comparison))
}
