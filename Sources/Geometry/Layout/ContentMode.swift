/// How a picture is scaled to a frame of different proportions.
package enum ContentMode: UInt8, Sendable {
  /// All of the picture is inside the frame.
  case fit
  /// All of the frame is covered by the picture.
  case fill
}
