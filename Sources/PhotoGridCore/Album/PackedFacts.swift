/// The facts of a file without texts: sixty-four bytes.
struct PackedFacts: Equatable, Sendable {
  private var takenDigits: Int64
  let modified: Int64
  let byteCount: Int64
  let width: UInt32
  let height: UInt32
  // Of the numbers that follow, 0 is what the file does not tell.
  private(set) var sensitivity: UInt32 = 0
  private(set) var exposureTime: Float = 0
  private(set) var aperture: Float = 0
  private(set) var focalLength: Float = 0
  let frameCount: UInt16
  private(set) var camera = TextPool.none
  private(set) var lens = TextPool.none
  private(set) var profile = TextPool.none
  private(set) var hasPlace = false
  /// Whether the file was read for how the photo was taken.
  private(set) var hasMetadata = false
  let kind: PhotoKind?

  /// Facts whose texts go to the pools.
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

  /// When the photo was taken; nil where the file does not tell.
  var taken: TakenTime? { takenDigits == 0 ? nil : TakenTime(digits: takenDigits) }

  /// Whether the file could be read.
  var isReadable: Bool { width > 0 && height > 0 }

  /// The number of a text in its pool.
  func number(of field: FilterTextField) -> UInt16 {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }

  /// These with what older facts tell of how the photo was taken, if it is still the same file.
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

/// Each text once, by a number.
struct TextPool: Equatable, Sendable {
  private var numbers: [String: UInt16] = [:]
  private(set) var texts: [String] = []

  /// The number of no text at all, and of what a full pool cannot take in.
  static let none = UInt16.max

  /// The number of a text, which is taken in where it is new.
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

/// The texts of all files.
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
