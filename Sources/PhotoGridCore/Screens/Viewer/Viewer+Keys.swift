import Geometry

/// The keys of an open photo.
extension KeyTable {
  static let inPhoto = section(
    "In a photo",
    line(
      .navigation(.next), ["n", "Space"], "Go to the next photo", viewer, as: "forward"),
    line(
      .navigation(.previous), ["p", "BackSpace"], "Go to the previous photo", viewer,
      as: "back"),
    group(
      "Previous or next photo; pan when zoomed in", viewer,
      entry(.navigation(.left), ["h", "Left"], "Go to the previous photo, or pan left"),
      entry(.navigation(.down), ["j", "Down"], "Pan down"),
      entry(.navigation(.up), ["k", "Up"], "Pan up"),
      entry(.navigation(.right), ["l", "Right"], "Go to the next photo, or pan right")),
    line(.navigation(.open), ["Enter"], "Close the photo", viewer, as: "back grid"),
    group(
      "Zoom in, out, or to fit", photo,
      entry(.viewer(.zoom(.larger)), ["+"], "Zoom in", as: "magnify enlarge"),
      entry(.viewer(.zoom(.smaller)), ["-"], "Zoom out", as: "shrink"),
      entry(.viewer(.zoom(.fit)), ["0"], "Show the whole photo", as: "zoom fit reset")),
    line(
      .viewer(.zoom(.toggleActualSize)), ["z"], "Zoom to 100% or back", photo,
      as: "actual size pixel peep"),
    group(
      "Zoom to 100%, fit the width, or fill the screen", photo,
      entry(.viewer(.zoom(.actualSize)), ["="], "Zoom to 100%", as: "actual size"),
      entry(.viewer(.zoom(.width)), ["w"], "Fit to width", as: "zoom"),
      entry(.viewer(.zoom(.fill)), ["f"], "Fill the screen", as: "zoom cover crop")),
    group(
      "Pan to the edge", viewer,
      entry(.viewer(.edge(.left)), ["H"], "Pan to the left edge"),
      entry(.viewer(.edge(.down)), ["J"], "Pan to the bottom edge"),
      entry(.viewer(.edge(.up)), ["K"], "Pan to the top edge"),
      entry(.viewer(.edge(.right)), ["L"], "Pan to the right edge")))
}
