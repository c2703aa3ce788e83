import Geometry
import PhotoGridCore
import Photos

/// The folders to which the user may want to go back, stored in `$XDG_STATE_HOME/photogrid/places`.
struct PlacesFile {
  /// Nil if storing is disabled.
  private let file: StateFile?
  private(set) var places = Places()
  /// Whether the folder that is shown is among them.
  var hasShownFolder = false

  private static let maxSize = 128 << 10

  /// Reads the file in the folder that the environment names; nil stores nothing.
  init(_ environment: [String: String]?) {
    file = environment.flatMap { StateFile("places", $0, maxSize: Self.maxSize) }
    places.replace(by: file?.lines ?? [])
  }

  /// Changes the places, and stores them.
  mutating func change(_ change: (inout Places) -> Void) {
    // Read again, because another session may have added folders.
    if let lines = file?.lines { places.replace(by: lines) }
    change(&places)
    file?.replace(with: places.lines)
  }
}

extension RunLoop {
  /// Remembers the folder that is shown, once it is listed.
  mutating func rememberShownFolder(at now: Instant) {
    guard !places.hasShownFolder, let notes = browser.collection.listingNotes else { return }
    places.hasShownFolder = true
    guard notes.failure == nil else { return }
    let path = folder(typed: "")
    let isPlace = library.location.folder != nil && FolderMatches.typeable(path) != nil
    let name = isPlace ? chrome.folderName.text(path) : ""
    places.change { $0.visit(name) }
    send(.placesChanged(places.places), at: now)
  }
}
