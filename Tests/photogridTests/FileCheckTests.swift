import Testing
import WorkerProtocol

@testable import photogrid

/// Reports of the lister about files that the program itself has changed.
struct FileCheckTests {
  private let old = PhotoPath(root: 0, path: Array("p/old.jpg".utf8))
  private let new = PhotoPath(root: 0, path: Array("p/new.jpg".utf8))
  private let other = PhotoPath(root: 0, path: Array("p/other.jpg".utf8))

  /// A check that the expectations can change.
  private final class Story {
    var check = FileCheck()

    func begin(_ count: Int) { check.begin(count) }
    func end(_ count: Int, _ paths: [PhotoPath]) { check.end(count, paths) }
    func takeRequest() -> Set<PhotoPath>? { check.takeRequest() }
    func receive(_ changes: [PhotoChange]) -> [PhotoChange] { check.receive(changes) }
    func filtered(_ changes: [PhotoChange]) -> [PhotoChange] { check.filtered(changes) }
  }

  /// A check after a rename that was carried out.
  private func renamed() -> Story {
    let story = Story()
    story.begin(1)
    story.end(1, [old, new])
    return story
  }

  @Test func `a late report of a rename does not arrive after its undo`() {
    let check = renamed()
    #expect(check.takeRequest() == [old, new])
    #expect(check.takeRequest() == nil)
    // It is undone before the lister has reported it or answered.
    check.begin(1)
    #expect(check.filtered([.renamed(old, to: new)]) == [])
    #expect(check.receive([.present(new), .absent(old)]) == [])
    #expect(check.takeRequest() == nil, "the file is just being renamed")
    check.end(1, [old, new])
    #expect(check.filtered([.renamed(old, to: new), .renamed(new, to: old)]) == [])
    #expect(check.takeRequest() == [old, new])
    #expect(check.receive([.present(old), .absent(new)]) == [.present(old), .absent(new)])
    #expect(check.filtered([.absent(old)]) == [.absent(old)], "the lister is trusted again")
    #expect(check.takeRequest() == nil)
  }

  @Test func `an answer from before the last operation is asked for again`() {
    let check = renamed()
    #expect(check.takeRequest() != nil)
    check.begin(1)
    check.end(1, [other])
    #expect(check.takeRequest() == nil, "one question at a time")
    #expect(check.receive([.absent(new)]) == [])
    #expect(check.takeRequest() == [old, new, other])
  }

  @Test func `reports about other files, and about sidecars, are used at once`() {
    let check = renamed()
    let changes: [PhotoChange] = [
      .absent(old), .present(other), .annotated(new), .renamed(other, to: old),
      .renamed(new, to: other),
    ]
    #expect(
      check.filtered(changes) == [
        .present(other), .annotated(new), .absent(other), .present(other),
      ]
    )
  }

  @Test func `while operations are open nothing is asked`() {
    let check = Story()
    check.begin(3)
    check.end(2, [old])
    #expect(check.takeRequest() == nil)
    check.end(1, [new])
    #expect(check.takeRequest() == [old, new])
  }

  @Test func `an operation that has changed no file asks nothing`() {
    let check = Story()
    check.begin(1)
    check.end(1, [])
    #expect(check.takeRequest() == nil)
  }

  @Test func `after another listing all reports are used`() {
    let check = renamed()
    #expect(check.takeRequest() != nil)
    check.check.reset()
    #expect(check.filtered([.absent(old)]) == [.absent(old)])
    #expect(check.takeRequest() == nil)
  }
}
