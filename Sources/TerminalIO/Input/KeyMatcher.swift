import PhotoGridCore

/// Finds the keys of a terminfo entry in the bytes that arrive; pure, and never waiting for more.
///
/// It matches as ncurses does: the shortest sequence that is a key wins, and of bytes that turn out
/// to be none only the first is taken as it is, before the others are looked at again. ncurses
/// itself asks the system twice for each byte, which made a pasted megabyte take seconds.
struct KeyMatcher: Sendable {
  /// What a sequence of the terminfo entry stands for.
  enum Meaning: Equatable, Sendable {
    case key(Key)
    /// Its own bytes, whatever shorter or longer sequences there are.
    case bytes
    /// A key without a meaning here.
    case nothing
  }

  /// A byte of a sequence, as a part of a tree: the first child, and the next of the siblings.
  private struct Node: Sendable {
    var byte: UInt8
    var meaning: Meaning?
    var child = 0
    var sibling = 0
  }

  /// The root comes first; no other node refers to it, so 0 is none.
  private var nodes = [Node(byte: 0)]
  private var buffer: [UInt8] = []
  /// Where what is not taken yet begins, and up to where that is a part of a sequence.
  private var head = 0
  private var cursor = 0
  private var node = 0
  /// How many of the next bytes are taken as they are.
  private var literalCount = 0

  /// A matcher for sequences.
  init(_ sequences: [(bytes: [UInt8], meaning: Meaning)]) {
    for sequence in sequences { add(sequence.bytes, sequence.meaning) }
  }

  /// Whether bytes are held that may begin a key; else `next` has handed out all of them.
  var isWaiting: Bool { head < buffer.count }

  /// Takes bytes that arrived.
  mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// Takes the next key or byte.
  ///
  /// - Parameter isOver: Whether no more bytes are waited for: what may begin a key is none then.
  /// - Returns: Nil if there is none yet.
  mutating func next(isOver: Bool = false) -> InputDecoder.Unit? {
    while head < buffer.count {
      if literalCount > 0 {
        literalCount -= 1
        return takeByte()
      }
      guard cursor < buffer.count else { return isOver ? takeByte() : nil }
      node = child(of: node, with: buffer[cursor])
      guard node != 0 else { return takeByte() }
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

  private mutating func takeByte() -> InputDecoder.Unit {
    let byte = buffer[head]
    restart(at: head + 1)
    return .byte(byte)
  }

  private mutating func restart(at place: Int) { (head, cursor, node) = (place, place, 0) }

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
