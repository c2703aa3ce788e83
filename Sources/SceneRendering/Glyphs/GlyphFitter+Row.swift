/// The values that are passed on while a row is fitted.
extension GlyphFitter {
  /// The best patterns of eight cells, and their colours, as codes of `CellColor`.
  struct Fit {
    /// The masks of patterns, or the glyph codes of wedges.
    var mask: SIMD8<Int32>
    /// The codes of the foreground colours.
    var foreground: SIMD8<UInt32>
    /// The codes of the background colours.
    var background: SIMD8<UInt32>
  }

  /// The data that all groups of a row share, as pointers, so that no array is retained for each
  /// group.
  struct Row {
    /// The number of values in a plane.
    let stride: Int
    /// The planes of samples.
    let values: UnsafeRawBufferPointer
    /// The weight of each sample.
    let weights: UnsafeBufferPointer<Float>
    /// The blocks that join or leave.
    let units: UnsafeBufferPointer<UInt8>
    /// The patterns to try.
    let steps: UnsafeBufferPointer<Step>
    /// The memory for samples and units of a group, as in `GlyphFitter.deltas`.
    let deltas: UnsafeMutableBufferPointer<Lanes>

    /// Returns the values of eight cells in a plane.
    @inline(__always)
    func plane(_ index: Int, at first: Int) -> Lanes {
      values.loadUnaligned(
        fromByteOffset: (index &* stride &+ first) &* MemoryLayout<Float>.stride, as: Lanes.self)
    }
  }
}
