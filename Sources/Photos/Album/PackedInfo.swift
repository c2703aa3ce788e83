import Geometry

/// A `PhotoInfo` in 64 bytes of plain numbers, which are sent between processes and stored in the
/// index as they are; a text is a number in a `TextPool`.
///
/// The hash of the picture is stored apart: few sessions need it, and it takes another 8 bytes. So are
/// the location and the words. A change of this layout requires a new version of the index; see `IndexSchema`.
package struct PackedInfo: Equatable, Sendable, BitwiseCopyable {
  /// When the photo was taken, as `TakenTime.bits`; 0 if it is unknown.
  package var takenBits: Int64 = 0
  private var modifiedNanoseconds: Int64 = 0
  /// The file's size, in bytes.
  package private(set) var byteCount: Int64 = 0
  private var identity: UInt32 = 0
  /// In pixels, after orientation; 0 if the file cannot be read.
  package var (width, height): (UInt32, UInt32) = (0, 0)
  // In the following numbers, 0 means that the file does not say.
  /// The ISO sensitivity (ISO 12232).
  package var sensitivity: UInt32 = 0
  /// In seconds; of a film, its length.
  private var seconds: Float = 0
  /// The f-number.
  package var aperture: Float = 0
  /// In millimeters.
  package var focalLength: Float = 0
  /// 1 for a still image; of a film, the frames in a hundred seconds, or 1.
  private var frames: UInt16 = 1
  // The numbers of names in their pools.
  package var camera = TextPool.none
  package var lens = TextPool.none
  package var profile = TextPool.none
  private var formatCode: UInt8 = 0
  /// The code of the photo's rating; 0 if it has not been read.
  private var ratingCode: UInt8 = 0
  private var flags: UInt8 = 0
  /// The orientation in the file, from 1 to 8; 0 if it is not known.
  package var orientation: UInt8 = 0

  private static let knownFlag: UInt8 = 1
  private static let metadataFlag: UInt8 = 2
  private static let placeFlag: UInt8 = 4
  private static let hashKnownFlag: UInt8 = 8
  private static let hashFlag: UInt8 = 16
  private static let incompleteFlag: UInt8 = 32
  private static let wordsFlag: UInt8 = 64
  private static let filmFlag: UInt8 = 128

  /// Creates the record of a file that has not been read.
  package init() {}

  /// The record of a file that cannot be read.
  package static let unreadable: PackedInfo = {
    var info = PackedInfo()
    (info.isKnown, info.hasMetadata) = (true, true)
    return info
  }()

  /// Packs what a file says, and adds its texts to the pools.
  package init(_ info: PhotoInfo, _ pools: inout TextPools) {
    isKnown = true
    takenBits = info.taken?.bits ?? 0
    stamp = info.stamp
    width = UInt32(max(0, min(info.size.width, 4e9)))
    height = UInt32(max(0, min(info.size.height, 4e9)))
    frames = UInt16(clamping: max(info.frameCount, 1))
    orientation = UInt8(clamping: info.orientation)
    format = info.format
    frameRate = info.frameRate
    set(Self.incompleteFlag, info.isIncomplete)
    length = info.length
    holdsFilm = info.holdsFilm
    guard let metadata = info.metadata else { return }
    hasMetadata = true
    hasLocation = metadata.location != nil
    hasWords = metadata.words != nil
    sensitivity = UInt32(clamping: metadata.sensitivity ?? 0)
    if format != .film { seconds = Float(metadata.exposureTime ?? 0) }
    aperture = Float(metadata.aperture ?? 0)
    focalLength = Float(metadata.focalLength ?? 0)
    camera = pools.camera.number(of: metadata.camera)
    lens = pools.lens.number(of: metadata.lens)
    profile = pools.profile.number(of: metadata.profile)
  }

  /// The state in which the file was read.
  package var stamp: FileStamp {
    get { FileStamp(byteCount: byteCount, modified: modifiedNanoseconds, identity: identity) }
    set {
      (byteCount, modifiedNanoseconds, identity) = (
        newValue.byteCount, newValue.modified, newValue.identity
      )
    }
  }

  /// The time of the last modification, in seconds since 1970.
  package var modified: Int64 { Int64(stamp.seconds) }

  /// The exposure time, in seconds; 0 if the file does not say.
  package var exposureTime: Float { format == .film ? 0 : seconds }

  /// The length of a film, in seconds; nil for a photo, or if the film does not say.
  package var length: Double? {
    get { format == .film && seconds > 0 ? Double(seconds) : nil }
    set { if format == .film { seconds = Float(newValue ?? 0) } }
  }

  /// The number of frames of an animation; 1 for a still image and for a film.
  package var frameCount: Int { format == .film ? 1 : Int(frames) }

  /// The frames of a film per second; nil for a photo, or if the film does not say.
  package var frameRate: Double? {
    get { format == .film && frames > 1 ? Double(frames) / 100 : nil }
    set {
      if format == .film { frames = UInt16(clamping: Int(min(newValue ?? 0, 650) * 100 + 0.5)) }
    }
  }

  /// Whether the file has been read, or could not be read.
  package var isKnown: Bool {
    get { flags & Self.knownFlag != 0 }
    set { set(Self.knownFlag, newValue) }
  }

  /// Whether the metadata about how the photo was taken has been read.
  package var hasMetadata: Bool {
    get { flags & Self.metadataFlag != 0 }
    set { set(Self.metadataFlag, newValue) }
  }

  /// Whether the file says where the photo was taken.
  package var hasLocation: Bool {
    get { flags & Self.placeFlag != 0 }
    set { set(Self.placeFlag, newValue) }
  }

  /// Whether the photo has a title, a caption or keywords.
  package var hasWords: Bool {
    get { flags & Self.wordsFlag != 0 }
    set { set(Self.wordsFlag, newValue) }
  }

  /// Whether the file holds the film of a live photo.
  package var holdsFilm: Bool {
    get { flags & Self.filmFlag != 0 }
    set { set(Self.filmFlag, newValue) }
  }

  private mutating func set(_ flag: UInt8, _ isOn: Bool) {
    flags = isOn ? flags | flag : flags & ~flag
  }

  /// The format, determined by the first bytes; nil if the file cannot be read.
  package var format: ImageFormat? {
    get { ImageFormat(code: formatCode) }
    set { formatCode = newValue?.code ?? 0 }
  }

  /// The photo's rating in the index; nil if the index has none.
  ///
  /// The album stores ratings apart.
  package var rating: Rating? {
    get { Rating(code: ratingCode) }
    set { ratingCode = newValue?.code ?? 0 }
  }

  /// Whether it is known which hash the photo's picture has, or that it has none.
  ///
  /// The album stores hashes apart.
  package var isHashKnown: Bool { flags & Self.hashKnownFlag != 0 }

  /// Whether the photo's picture has a hash, whose bits are stored apart.
  package var hasHash: Bool { flags & Self.hashFlag != 0 }

  /// Records that the hash of the photo's picture is known; nil if the picture has none.
  package mutating func setHash(_ hash: DifferenceHash?) {
    set(Self.hashKnownFlag, true)
    set(Self.hashFlag, hash != nil)
  }

  /// Takes over whether the hash of the photo's picture is known.
  package mutating func copyHash(of other: PackedInfo) {
    set(Self.hashKnownFlag, other.isHashKnown)
    set(Self.hashFlag, other.hasHash)
  }

  /// Removes what is known about the hash.
  package mutating func removeHash() {
    set(Self.hashKnownFlag, false)
    set(Self.hashFlag, false)
  }

  /// When the photo was taken; nil if the file does not say.
  package var taken: TakenTime? { takenBits == 0 ? nil : TakenTime(bits: takenBits) }

  /// Whether the file is truncated and only a part of the picture is available.
  package var isIncomplete: Bool { flags & Self.incompleteFlag != 0 }

  /// Whether the file could be read.
  package var isReadable: Bool { format != nil && width > 0 && height > 0 }

  /// Returns the number of a field's text in its pool.
  func number(of field: FilterTextField) -> UInt16 {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }

  /// Returns the metadata about how the photo was taken, without the location.
  func metadata(texts: TextPools) -> PhotoMetadata {
    func known(_ number: Float) -> Double? { number == 0 ? nil : Double(number) }
    var metadata = PhotoMetadata()
    metadata.camera = texts.camera.text(camera)
    metadata.lens = texts.lens.text(lens)
    metadata.profile = texts.profile.text(profile)
    metadata.sensitivity = sensitivity == 0 ? nil : Int(sensitivity)
    metadata.exposureTime = known(exposureTime)
    metadata.aperture = known(aperture)
    metadata.focalLength = known(focalLength)
    return metadata
  }

  /// Returns what the file says, without metadata if that has not been read; nil if it was not or cannot
  /// be read.
  ///
  /// - `location`: Where the photo was taken, which is stored apart.
  /// - `words`: Its words, which are too.
  package func unpacked(
    texts: TextPools, takenAt location: PhotoMetadata.Location? = nil, words: PhotoWords? = nil
  ) -> PhotoInfo? {
    guard isReadable, let format, orientation > 0 else { return nil }
    var metadata = hasMetadata ? metadata(texts: texts) : nil
    metadata?.location = location
    metadata?.words = words
    var info = PhotoInfo(
      size: PixelSize(width: Double(width), height: Double(height)),
      orientation: Int(orientation), format: format, stamp: stamp, taken: taken,
      isIncomplete: isIncomplete, frameCount: frameCount, metadata: metadata)
    (info.length, info.frameRate) = (length, frameRate)
    info.holdsFilm = holdsFilm
    return info
  }

  /// Returns these facts, completed with the metadata of older ones if the file is still the same.
  func keeping(_ old: PackedInfo?) -> PackedInfo {
    guard let old, !hasMetadata, old.hasMetadata, old.stamp.matches(stamp) else { return self }
    var facts = self
    facts.takenBits = old.takenBits
    facts.holdsFilm = holdsFilm || old.holdsFilm
    (facts.hasMetadata, facts.hasLocation, facts.hasWords) = (true, old.hasLocation, old.hasWords)
    (facts.sensitivity, facts.seconds) = (old.sensitivity, old.seconds)
    (facts.aperture, facts.focalLength) = (old.aperture, old.focalLength)
    (facts.camera, facts.lens, facts.profile) = (old.camera, old.lens, old.profile)
    return facts
  }
}

extension ImageFormat {
  private static let all = allCases

  /// The code of a format in messages: its number from 1 in `allCases`.
  package var code: UInt8 { UInt8((Self.all.firstIndex(of: self) ?? 0) + 1) }

  /// Creates the format with a code; nil if there is none.
  package init?(code: UInt8) {
    guard (1...Self.all.count).contains(Int(code)) else { return nil }
    self = Self.all[Int(code) - 1]
  }
}
