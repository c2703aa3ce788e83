import Glibc

// draw-samples FOLDER [--draft] [NAME ...]
// Draws the sample photos into a folder: all of them or those named, small with --draft.
// draw-samples --icon
// Prints the program's icon as SVG.

/// Writes a sentence to standard error and ends with a code.
func fail(_ sentence: String, code: Int32) -> Never {
  let line = Array("draw-samples: \(sentence)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.elementsEqual(["--icon"]) {
  print(Icon.svg, terminator: "")
  exit(0)
}
let isDraft = arguments.contains("--draft")
let words = arguments.filter { $0 != "--draft" }

guard let folder = words.first else {
  fail("usage: draw-samples FOLDER [--draft] [NAME ...]", code: EX_USAGE)
}

let wanted = Set(words.dropFirst())
if let stranger = wanted.subtracting(SamplePhoto.all.map(\.name)).min() {
  fail("there is no photo named \(stranger)", code: EX_USAGE)
}
let photos = SamplePhoto.all.filter { wanted.isEmpty || wanted.contains($0.name) }

do {
  let files = try PhotoFile(folder: folder)
  for photo in photos {
    let scale = isDraft ? 3 : 1
    let canvas = photo.draw(photo.width / scale, photo.height / scale)
    print(try files.write(canvas, as: photo))
  }
} catch PhotoFileError.encoderUnavailable(let reason) {
  fail("libvips does not start: \(reason)", code: EX_UNAVAILABLE)
} catch PhotoFileError.notWritten(let reason) {
  fail("cannot write into \(folder): \(reason)", code: EX_CANTCREAT)
}
