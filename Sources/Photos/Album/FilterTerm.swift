/// A kind of term of a filter, as the help and the manual list it.
package struct FilterTerm: Sendable {
  /// What can be typed, the most common first.
  package let examples: [String]
  package let meaning: String

  private init(_ examples: String..., meaning: String) {
    (self.examples, self.meaning) = (examples, meaning)
  }

  private init(_ field: FilterField, _ values: String..., meaning: String) {
    self.examples = values.map { "\(field.rawValue):\($0)" }
    self.meaning = meaning
  }

  package static let all: [FilterTerm] = [
    FilterTerm(
      "beach",
      meaning:
        "a word in the name, folders, title, caption, keywords, people, camera, lens or label"),
    FilterTerm(
      "\"two words\"",
      meaning: "quotes join words into one term, or make any term a plain word"),
    FilterTerm(
      "*.png", "IMG_2?", meaning: "a pattern for the name, with or without its extension"),
    FilterTerm(.name, "rome", "*_2?", meaning: "the file name"),
    FilterTerm(.path, "2024/rome", meaning: "the folders and the file name"),
    FilterTerm(.type, "heic,png", "video", "live", meaning: "the file format, or live photos"),
    FilterTerm(.date, "July 2019", "2024-05..", meaning: "when the photo was taken"),
    FilterTerm(.changed, "today", "2024-05..", meaning: "when the file was modified"),
    FilterTerm(.size, ">5M", "5M+", meaning: "the file size"),
    FilterTerm(.width, ">4000", "4000+", meaning: "the width in pixels"),
    FilterTerm(.height, ">4000", "4000+", meaning: "the height in pixels"),
    FilterTerm(.mp, ">20", "12..24", meaning: "the resolution in megapixels"),
    FilterTerm(.frames, ">1", meaning: "the number of frames in an animation"),
    FilterTerm(.length, ">1min", "10s..1:30", meaning: "the length of a video"),
    FilterTerm(.keyword, "rome", "\"family trip\"", meaning: "a keyword"),
    FilterTerm(.title, "opening", meaning: "the title"),
    FilterTerm(.caption, "birthday", meaning: "the caption"),
    FilterTerm(.person, "anna", "\"anna lee\"", meaning: "a person in the photo"),
    FilterTerm(.camera, "canon", "\"eos r5\"", meaning: "the camera"),
    FilterTerm(.lens, "sigma", "*macro*", meaning: "the lens"),
    FilterTerm(.profile, "p3", "\"display p3\"", meaning: "the color profile"),
    FilterTerm(.iso, "800+", "100..400", meaning: "the ISO speed"),
    FilterTerm(.f, "<2.8", "4..8", meaning: "the aperture"),
    FilterTerm(.mm, ">50", "24..70", meaning: "the focal length"),
    FilterTerm(.exposure, ">1/60", "1..30", meaning: "the exposure time, in seconds"),
    FilterTerm(.rating, "4+", "0", meaning: "the number of stars, 0 to 5"),
    FilterTerm(.label, "red", "red,none", meaning: "the color label"),
    FilterTerm("landscape", meaning: "wider than tall"),
    FilterTerm("portrait", meaning: "taller than wide"),
    FilterTerm("square", meaning: "as wide as it is tall"),
    FilterTerm("gps", meaning: "has a location"),
    FilterTerm("marked", meaning: "is marked"),
    FilterTerm("rejected", meaning: "is rejected"),
    FilterTerm("similar", meaning: "looks almost the same as another photo"),
    FilterTerm("X or Y", meaning: "photos that match X, Y or both"),
    FilterTerm("not X", "-X", meaning: "photos that do not match X"),
    FilterTerm("(X Y) or Z", meaning: "parentheses group terms"),
  ]
}
