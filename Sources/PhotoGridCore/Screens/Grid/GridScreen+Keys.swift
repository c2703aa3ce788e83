import Geometry

/// The keys of the grid.
extension KeyTable {
  static let inGrid = section(
    "In the grid",
    group(
      "Move the selection; 3l moves it by three", grid,
      entry(.navigation(.left), ["h", "Left"], "Go left"),
      entry(.navigation(.down), ["j", "Down"], "Go down"),
      entry(.navigation(.up), ["k", "Up"], "Go up"),
      entry(.navigation(.right), ["l", "Right"], "Go right")),
    line(
      .navigation(.open), ["Enter"], "Open the photo or folder", grid,
      as: "view show enlarge full screen fullscreen"),
    line(
      .grid(.goUp), ["BackSpace"], "Go to the parent folder", grid,
      as: "up leave directory back"),
    group(
      "Go to the next or previous section", grid,
      entry(.grid(.nextSection), ["}"], "Go to the next section"),
      entry(.grid(.previousSection), ["{"], "Go to the previous section")),
    line(
      .grid(.zoomOut), ["zo"], "Zoom out to months, then years", grid,
      as: "calendar overview timeline"))

  static let tiles = section(
    "Tiles",
    group(
      "Switch to the next or previous layout", grid,
      entry(
        .grid(.nextLayout), ["Tab"], "Layout: next", as: "change switch tiles"),
      entry(
        .grid(.previousLayout), ["Shift-Tab"], "Layout: previous",
        as: "change switch back tiles")),
    group(
      "Choose a layout by name", grid,
      entry(.grid(.gridLayout), [], "Layout: grid", as: "square tiles settings"),
      entry(.grid(.mosaicLayout), [], "Layout: mosaic", as: "tiles settings"),
      entry(.grid(.bentoLayout), [], "Layout: bento", as: "tiles pattern settings"),
      entry(.grid(.rowsLayout), [], "Layout: rows", as: "justified whole tiles settings")),
    group(
      "Make the tiles larger or smaller, or reset them", grid,
      entry(.grid(.largerTiles), ["+"], "Make the tiles larger", as: "zoom in size bigger"),
      entry(.grid(.smallerTiles), ["-"], "Make the tiles smaller", as: "zoom out size"),
      entry(.grid(.resetTiles), ["0"], "Reset the tile size", as: "default")),
    line(
      .grid(.toggleCrop), ["c"], "Crop photos to fill their tiles", grid,
      as: "whole fit fill clip uncropped settings"),
    line(
      .grid(.toggleLabels), ["t"], "Show names under the tiles", grid,
      as: "labels titles captions file settings"))
}
