/// The facts of a file in 64 bytes, with texts replaced by their numbers in `TextPools`.
struct PackedFacts: Equatable, Sendable {
  private var takenDigits: Int64
  let modified: Int64
  let byteCount: Int64
  let width: UInt32
  let height: UInt32
  // In the following numbers, 0 means that the file does not say.
  private(set) var sensitivity: UInt32 = 0
  private(set) var exposureTime: Float = 0
  private(set) var aperture: Float = 0
  private(set) var focalLength: Float = 0
  let frameCount: UInt16
  private(set) var camera = TextPool.none
  private(set) var lens = TextPool.none
  private(set) var profile = TextPool.none
  private(set) var hasPlace = false
  /// Whether the metadata about how the photo was taken has been read.
  private(set) var hasMetadata = false
  let kind: ImageFormat?

  /// Packs facts, and adds their texts to the pools.
  init(_ facts: FileFacts, _ pools: inout TextPools) {
    takenDigits = facts.takenDigits
    modified = facts.modified
    byteCount = facts.byteCount
    width = facts.width
    height = facts.height
    frameCount = UInt16(clamping: facts.frameCount)
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

  /// When the photo was taken; nil if the file does not say.
  var taken: TakenTime? { takenDigits == 0 ? nil : TakenTime(digits: takenDigits) }

  /// Whether the file could be read.
  var isReadable: Bool { width > 0 && height > 0 }

  /// The number of a field's text in its pool.
  func number(of field: FilterTextField) -> UInt16 {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
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

/// Distinct texts, numbered in the order in which they were added.
struct TextPool: Equatable, Sendable {
  private var numbers: [String: UInt16] = [:]
  private(set) var texts: [String] = []

  /// The number that stands for no text, and for texts that a full pool cannot hold.
  static let none = UInt16.max

  /// Returns the number of a text, and adds the text if it is new.
  mutating func number(of text: String?) -> UInt16 {
    guard let text else { return Self.none }
    if let number = numbers[text] { return number }
    guard texts.count < Int(Self.none) else { return Self.none }
    let number = UInt16(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }
}

/// The texts of all files, by field.
struct TextPools: Equatable, Sendable {
  var camera = TextPool()
  var lens = TextPool()
  var profile = TextPool()

  subscript(_ field: FilterTextField) -> TextPool {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }
}
