import Foundation
import TestSupport
import Testing

@testable import PhotoGridCore

/// The tasks that the manual lists: all keys are shown, and none takes more than in another program.
@Suite struct TaskStoryTests {
  init() { UTF8Locale.use() }

  private static let tasks = TaskStory.look + TaskStory.find + TaskStory.choose + TaskStory.act

  @Test(arguments: tasks)
  func `a task is done by keys that are shown, and by no more than in another program`(
    task: TaskStory
  ) {
    var evening = Evening()
    task.start(&evening)
    let isDoneBefore = task.isDone(evening)
    task.perform(in: &evening)
    let isDone = task.isDone(evening)
    #expect(isDone && !isDoneBefore)
    #expect(task.otherCount.map { task.count <= $0 } ?? (task.other == nil))
  }

  @Test func `the manual lists the tasks`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Assets/MANUAL.md")
    let manual = try String(contentsOf: file, encoding: .utf8)
    let rows = Self.tasks.map { $0.row }
    let listed = manual.split(separator: "\n").map(String.init).filter(rows.contains)
    #expect(Self.tasks.count == 40)
    #expect(listed == rows, "the rows of \"Common tasks\" are:\n\(rows.joined(separator: "\n"))")
  }

  @Test func `a task fails if nothing shows one of its keys`() {
    var evening = Evening()
    func isShown(_ key: String) -> Bool { evening.shows(key, before: nil) }
    #expect(["gm", "Click", "i"].map(isShown) == [true, true, true])
    #expect(
      ["x", "e", "w", "3", "Wheel down"].map(isShown) == [false, false, false, false, false])
    evening.press(.enter)
    #expect(["w", "gm"].map(isShown) == [true, false])
    evening.press(.character("?"))
    #expect(["w", "Esc"].map(isShown) == [false, false])
  }
}
