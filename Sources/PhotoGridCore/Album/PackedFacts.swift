/// The facts of a file in 64 bytes of plain numbers, which are sent between processes and stored in
/// the index as they are; a text is a number in a `TextPool`.
///
/// The hash of the picture is stored apart: few sessions need it, and it takes another 8 bytes.
/// A change of this layout requires a new version of the index; see `IndexSchema`.
package struct PackedFacts: Equatable, Sendable, BitwiseCopyable {
  /// The time when the photo was taken, as `TakenTime.digits`; 0 if it is unknown.
  package var takenDigits: Int64 = 0
  /// The time of the last modification, in seconds since 1970.
  package var modified: Int64 = 0
  /// The file's size, in bytes.
  package var byteCount: Int64 = 0
  /// The width after orientation, in pixels; 0 if the file cannot be read.
  package var width: UInt32 = 0
  /// The height after orientation, in pixels; 0 if the file cannot be read.
  package var height: UInt32 = 0
  // In the following numbers, 0 means that the file does not say.
  /// The ISO sensitivity (ISO 12232).
  package var sensitivity: UInt32 = 0
  /// The exposure time, in seconds.
  package var exposureTime: Float = 0
  /// The f-number.
  package var aperture: Float = 0
  /// The focal length, in millimetres.
  package var focalLength: Float = 0
  /// The number of frames; 1 for a still image.
  package var frameCount: UInt16 = 1
  /// The number of the camera's name in its pool.
  package var camera = TextPool.none
  /// The number of the lens's name in its pool.
  package var lens = TextPool.none
  /// The number of the colour profile's name in its pool.
  package var profile = TextPool.none
  private var kindCode: UInt8 = 0
  /// The code of the photo's rating; 0 if it has not been read.
  private var ratingCode: UInt8 = 0
  private var flags: UInt8 = 0
  /// The orientation in the file, from 1 to 8; 0 if it is not known.
  package var orientation: UInt8 = 0

  private static let knownFlag: UInt8 = 1
  private static let metadataFlag: UInt8 = 2
  private static let placeFlag: UInt8 = 4
  /// The flag of `isHashKnown`.
  private static let hashedFlag: UInt8 = 8
  /// The flag of `hasHash`.
  private static let hashFlag: UInt8 = 16

  /// Creates the facts of a file that has not been read.
  package init() {}

  /// Packs facts, and adds their texts to the pools.
  package init(_ facts: FileFacts, _ pools: inout TextPools) {
    isKnown = true
    takenDigits = facts.takenDigits
    modified = facts.modified
    byteCount = facts.byteCount
    width = facts.width
    height = facts.height
    frameCount = UInt16(clamping: facts.frameCount)
    orientation = facts.orientation
    kind = facts.kind
    guard let metadata = facts.metadata else { return }
    hasMetadata = true
    hasPlace = metadata.place != nil
    sensitivity = UInt32(clamping: metadata.sensitivity ?? 0)
    exposureTime = Float(metadata.exposureTime ?? 0)
    aperture = Float(metadata.aperture ?? 0)
    focalLength = Float(metadata.focalLength ?? 0)
    camera = pools.camera.number(of: metadata.camera)
    lens = pools.lens.number(of: metadata.lens)
    profile = pools.profile.number(of: metadata.profile)
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
  package var hasPlace: Bool {
    get { flags & Self.placeFlag != 0 }
    set { set(Self.placeFlag, newValue) }
  }

  private mutating func set(_ flag: UInt8, _ isOn: Bool) {
    flags = isOn ? flags | flag : flags & ~flag
  }

  /// The format, determined by the first bytes; nil if the file cannot be read.
  package var kind: ImageFormat? {
    get { ImageFormat(code: kindCode) }
    set { kindCode = newValue?.code ?? 0 }
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
  package var isHashKnown: Bool { flags & Self.hashedFlag != 0 }

  /// Whether the photo's picture has a hash, whose bits are stored apart.
  package var hasHash: Bool { flags & Self.hashFlag != 0 }

  /// Records that the hash of the photo's picture is known; nil if the picture has none.
  package mutating func setHash(_ hash: DifferenceHash?) {
    set(Self.hashedFlag, true)
    set(Self.hashFlag, hash != nil)
  }

  /// Removes what is known about the hash.
  package mutating func removeHash() {
    set(Self.hashedFlag, false)
    set(Self.hashFlag, false)
  }

  /// When the photo was taken; nil if the file does not say.
  package var taken: TakenTime? { takenDigits == 0 ? nil : TakenTime(digits: takenDigits) }

  /// Whether the file could be read.
  var isReadable: Bool { width > 0 && height > 0 }

  /// Returns the number of a field's text in its pool.
  func number(of field: FilterTextField) -> UInt16 {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }

  /// Returns the metadata about how the photo was taken, without the place.
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

  /// Returns everything that the facts say about the file; nil unless it was read with its metadata.
  ///
  /// - Parameters:
  ///   - texts: The texts that the facts refer to.
  ///   - place: Where the photo was taken, which is stored apart.
  /// - Returns: The facts; nil too if the place is not the one that the facts are about.
  func info(texts: TextPools, takenAt place: PhotoMetadata.Place?) -> PhotoInfo? {
    guard isReadable, hasMetadata, let kind, orientation > 0, hasPlace == (place != nil)
    else { return nil }
    var info = PhotoInfo(
      size: PixelSize(width: Double(width), height: Double(height)),
      orientation: Int(orientation), format: kind, byteCount: Int(byteCount),
      modified: Int(modified), taken: taken?.iso8601, isIncomplete: false,
      frameCount: Int(frameCount))
    var metadata = metadata(texts: texts)
    metadata.place = place
    info.metadata = metadata
    return info
  }

  /// Returns these facts, completed with the metadata of older ones if the file is still the same.
  func keeping(_ old: PackedFacts?) -> PackedFacts {
    guard let old, !hasMetadata, old.hasMetadata, old.modified == modified,
      old.byteCount == byteCount
    else { return self }
    var facts = self
    (facts.hasMetadata, facts.hasPlace) = (true, old.hasPlace)
    (facts.sensitivity, facts.exposureTime) = (old.sensitivity, old.exposureTime)
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
