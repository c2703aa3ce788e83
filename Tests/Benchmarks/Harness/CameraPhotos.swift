import Foundation

/// JPEGs as cameras write them, made from sample photos by libvips, which the next run uses again.
///
/// They have grain, and about two megabytes for 12 megapixels; three of four have an EXIF thumbnail, by exiftool.
func cameraPhotos(
  _ count: Int, from samples: [String], width: Int = 4000, height: Int = 3000, quality: Int = 88
) throws -> [String] {
  let folder = NSTemporaryDirectory() + "photogrid-bench-camera-\(width)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return try (0..<count).map { index in
    let path = String(format: "%@/%04d.jpg", folder, index)
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let scratch = try Scratch()
    let steps = ["large", "rolled", "noise", "grainy"].map { scratch.file("\($0).v") }
    let (file, small) = (scratch.file("photo.jpg"), scratch.file("small.jpg"))
    let (across, down) = ("\(width)", "\(height)")
    let sample = samples[index % samples.count]
    for command in [
      ["thumbnail", sample, steps[0], across, "--height", down, "--size", "force"],
      ["wrap", steps[0], steps[1], "--x", "\(index / samples.count * 97)", "--y", "0"],
      [
        "gaussnoise", steps[2], across, down, "--mean", "0", "--sigma", "3.2", "--seed", "\(index)",
      ],
      ["add", steps[1], steps[2], steps[3]],
      ["jpegsave", steps[3], file, "--Q", "\(quality)", "--strip"],
      ["thumbnail", file, small + "[Q=80]", "160"],
    ] { try Command.need(["vips"] + command) }
    if index % 4 != 3 {
      try Command.need(["exiftool", "-q", "-overwrite_original", "-ThumbnailImage<=\(small)", file])
    }
    try FileManager.default.moveItem(atPath: file, toPath: path)
    return path
  }
}
