import Foundation
import Testing

/// Runs tests on more threads than there are cores, as they mostly wait for a program.
///
/// Swift's tasks share one thread for each core, and a test that waits keeps its thread: on one
/// core, no two programs would ever run at once.
struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Threads.shared, operation: body)
  }

  private final class Threads: TaskExecutor {
    static let shared = Threads()
    private let queue = OperationQueue()

    init() {
      queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount + 4
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == WaitingThreads {
  /// The tests mostly wait.
  static var waiting: Self { WaitingThreads() }
}
