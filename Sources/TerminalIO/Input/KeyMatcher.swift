import PhotoGridCore

/// Finds the keys of a terminfo entry in the input, without ever waiting.
///
/// It matches as ncurses does: the shortest sequence that is a key wins, and when bytes turn out to
/// be no key, only the first is returned as it is and the search starts again at the second.
/// ncurses itself makes two system calls for each byte, so that a pasted megabyte would take
/// seconds.
struct KeyMatcher: Sendable {
  /// The meaning of a sequence of the terminfo entry.
  enum Meaning: Equatable, Sendable {
    /// A key.
    case key(Key)
    /// Its own bytes, for the decoder.
    case bytes
    /// A key that the program does not use.
    case nothing
  }

  /// A byte in the tree of all sequences, which is stored by first child and next sibling.
  private struct Node: Sendable {
    var byte: UInt8
    var meaning: Meaning?
    var child = 0
    var sibling = 0
  }

  /// The nodes of the tree, the root first; as no node refers to the root, index 0 stands for none.
  private var nodes = [Node(byte: 0)]
  private var buffer: [UInt8] = []
  /// The index in `buffer` of the first byte that was not returned.
  private var head = 0
  /// The index up to which the bytes from `head` on match the sequence that ends at `node`.
  private var cursor = 0
  /// The node of the tree that the bytes so far lead to.
  private var node = 0
  /// The number of bytes from `head` on to return as they are.
  private var literalCount = 0

  /// Creates a matcher for sequences; of equal ones the last counts.
  init(_ sequences: [(bytes: [UInt8], meaning: Meaning)]) {
    for sequence in sequences { add(sequence.bytes, sequence.meaning) }
  }

  /// Whether bytes are held that may be the start of a key; if not, `next` has returned all bytes.
  var isWaiting: Bool { head < buffer.count }

  /// Adds bytes that arrived.
  mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// Returns the next key or byte.
  ///
  /// - Parameter isFlushing: Whether no more bytes are expected, so that an incomplete sequence is
  ///   no key.
  /// - Returns: The key or byte; nil if all bytes were returned, or the rest is an incomplete
  ///   sequence.
  mutating func next(isFlushing: Bool = false) -> InputDecoder.Unit? {
    while head < buffer.count {
      if literalCount > 0 {
        literalCount -= 1
        return nextByte()
      }
      guard cursor < buffer.count else { return isFlushing ? nextByte() : nil }
      node = child(of: node, with: buffer[cursor])
      guard node != 0 else { return nextByte() }
      cursor += 1
      switch nodes[node].meaning {
      case nil: continue
      case .key(let key):
        restart(at: cursor)
        return .key(key)
      case .bytes:
        literalCount = cursor - head
        restart(at: head)
      case .nothing: restart(at: cursor)
      }
    }
    buffer.removeAll(keepingCapacity: true)
    restart(at: 0)
    return nil
  }

  private mutating func nextByte() -> InputDecoder.Unit {
    let byte = buffer[head]
    restart(at: head + 1)
    return .byte(byte)
  }

  private mutating func restart(at index: Int) { (head, cursor, node) = (index, index, 0) }

  private func child(of parent: Int, with byte: UInt8) -> Int {
    var node = nodes[parent].child
    while node != 0, nodes[node].byte != byte { node = nodes[node].sibling }
    return node
  }

  private mutating func add(_ bytes: [UInt8], _ meaning: Meaning) {
    var node = 0
    for byte in bytes {
      var next = child(of: node, with: byte)
      if next == 0 {
        next = nodes.count
        nodes.append(Node(byte: byte, sibling: nodes[node].child))
        nodes[node].child = next
      }
      node = next
    }
    if node != 0 { nodes[node].meaning = meaning }
  }
}
