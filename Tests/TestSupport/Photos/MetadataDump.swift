import Foundation

/// Everything that exiftool reads in photos, binary values too, and a hash of each one's pixels.
package struct MetadataDump {
  /// The values by their groups and names, for each photo.
  package private(set) var photos: [String: [String: String]] = [:]

  /// What depends on the file and not on the metadata in it.
  private static let ignored = ["SourceFile", "ExifTool:", "System:", "File:FileSize"]
  /// Where in a file something is; these change when something before it grows.
  private static let places = [
    "ThumbnailOffset", "MPImageStart", "PreviewImageStart", "MakerNotePadding",
  ]

  /// Reads photos of a folder, all of them at once.
  package init(of names: [String], in folder: TemporaryFolder) throws {
    let text = try SystemProgram.output(
      of: "exiftool",
      ["-a", "-G1:4", "-s", "-b", "-j", "-all", "-ImageDataMD5"] + names, in: folder.path)
    let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    for photo in list {
      guard let name = photo["SourceFile"] as? String else { continue }
      photos[name] = photo.mapValues { "\($0)" }.filter { key, _ in
        !Self.ignored.contains { key.hasPrefix($0) }
          && !Self.places.contains { key.hasSuffix($0) }
      }
    }
  }

  /// The names of values of a photo that differ from those in another dump, sorted.
  package func differences(of photo: String, from other: MetadataDump) -> [String] {
    let (old, new) = (other.photos[photo] ?? [:], photos[photo] ?? [:])
    return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }
}
