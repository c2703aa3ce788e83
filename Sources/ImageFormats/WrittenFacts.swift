import Photos

/// The time when a photo was taken and its words, from its sidecar and from all parts of its file
/// but the time in EXIF.
package struct WrittenFacts: Equatable, Sendable {
  /// The XMP beside the photo; without properties if there is none.
  package var sidecar = XMPFacts()
  /// The XMP in the photo.
  package var xmp = XMPFacts()
  package var iptc = IPTCFacts()
  package var exif = ExifWords()
  /// When it was taken according to a text in a PNG.
  package var text: TakenTime?
  /// When it was created according to a property of the picture in a HEIC or AVIF.
  package var property: TakenTime?

  package init() {}

  /// When the photo was taken, with the time in EXIF.
  ///
  /// - `latest`: The day after which no photo was taken, as digits: 20240501.
  package func taken(_ exif: TakenTime?, latest: Int64) -> TakenTime? {
    let best = TakenTime.best([exif, sidecar.taken, xmp.taken, iptc.taken, text], latest: latest)
    // The picture may have been created from another one.
    return best?.isPlausible == true ? best : property ?? best
  }

  /// The words: property by property of the sidecar, else of the XMP in the photo, else of IPTC, else of
  /// EXIF.
  ///
  /// The people are those of all lists: of each kind, the sidecar's, else the photo's.
  package var words: PhotoWords? {
    let title = sidecar.title ?? xmp.title ?? iptc.title ?? exif.title
    let caption = sidecar.caption ?? xmp.caption ?? iptc.caption ?? exif.caption
    let own = iptc.keywords.isEmpty ? exif.keywords : iptc.keywords
    let keywords = sidecar.keywords ?? xmp.keywords ?? own
    var people = xmp.people
    if sidecar.people != XMPPeople() {
      people = sidecar.people
      people.merge(xmp.people)
    }
    let faces = (people.faces ?? []) + (people.tagged ?? [])
    let named = people.listed ?? []
    // As of most photos.
    if title == nil, caption == nil, keywords.isEmpty, faces.isEmpty, named.isEmpty { return nil }
    return PhotoWords(
      title: title, caption: caption, keywords: keywords, faces: faces, named: named)
  }
}
