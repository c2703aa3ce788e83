import Glibc
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Starts of workers: executables that cannot be used, pauses between attempts, and the version.
extension PhotoStoreTests {
  @Test func `a worker of another version is not used, with a message`() throws {
    for hello in [
      Hello(wireFormat: ProgramVersion.wireFormat, programVersion: "0.0.9"),
      Hello(wireFormat: 99, programVersion: "7.1"),
    ] {
      let store = try PhotoStore.of(
        photos(2), worker: folder.script("\(sending([], hello: [hello])); exec sleep 100"),
        limits: Self.single)

      let events = store.fetchAll()

      let problem = LibraryError.otherVersion(worker: hello.programVersion, program: "0.1.0")
      #expect(events.contains(.unusable(problem)))
      #expect(
        store.photos.allSatisfy {
          store.failure(of: $0)
            == "photogrid-worker is version \(hello.programVersion), photogrid is 0.1.0"
        })
    }
  }

  @Test func `without a worker's executable all demands fail with a message`() throws {
    let store = try PhotoStore.of(
      photos(2), worker: WorkerExecutable(path: "/nowhere/photogrid-worker"), limits: Self.single)

    let events = store.fetchAll()

    let problem = LibraryError.workerMissing(searched: ["/nowhere/photogrid-worker"])
    #expect(events.contains(.unusable(problem)))
    #expect(store.problem == problem)
    #expect(store.photos.allSatisfy { store.failure(of: $0) == problem.message })
    store.index.append([folder.path("later.jpg")])
    store.setDemands([.fitting(Photo.ID(2), 10)], at: now())
    #expect(store.run() == [.failed(Photo.ID(2))])
  }

  @Test func `workers that never greet are given up after a few`() throws {
    for script in ["exit 0", "echo no greeting >&0; exec sleep 100"] {
      let store = try PhotoStore.of(photos(2), worker: folder.script(script), limits: Self.single)

      let events = store.fetchAll()

      #expect(events.contains(.unusable(.workerFails)))
      #expect(
        store.photos.allSatisfy {
          store.failure(of: $0) == "photogrid-worker keeps failing to start"
        })
    }
  }

  @Test func `an executable that the system refuses is tried a few times, then given up`() throws {
    let path = folder.write(Array("no program".utf8), to: "photogrid-worker", mode: 0o755)
    // Until no child of another test holds it open for writing: it would be "busy".
    let descriptor = open(cString(path[...]), O_RDONLY)
    let setLease: Int32 = 1024  // F_SETLEASE, which Glibc's module leaves out
    while fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0, errno == EAGAIN { usleep(1_000) }
    close(descriptor)
    let executable = WorkerExecutable(path: String(decoding: path, as: UTF8.self))
    let store = try PhotoStore.of(photos(1), worker: executable, limits: Self.single)

    let events = store.fetchAll()

    #expect(events.contains(.unusable(.cannotStart(ENOEXEC))))
    #expect(
      store.failure(of: Photo.ID(0)) == "cannot start photogrid-worker: Exec format error")
  }

  @Test func `the pause before a replacement doubles up to two seconds`() {
    let limits = StoreLimits().pool

    let pauses = (0...8).map { limits.pause(after: $0) }

    #expect(pauses == [0, 0, 0.1, 0.2, 0.4, 0.8, 1.6, 2, 2])
    #expect(limits.pause(after: .max) == 2)
  }

  // MARK: The worker's executable

  @Test func `the worker prints its version, and tells users that it is not for direct use`() throws
  {
    let path = try real()
    let out = popen("\(path) --version; \(path) </dev/null; echo $?", "r")
    var line = [CChar](repeating: 0, count: 200)
    var lines: [String] = []
    while fgets(&line, 200, out) != nil {
      lines.append(
        String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    pclose(out)

    #expect(
      lines == [
        "photogrid-worker 0.1.0\n",
        "photogrid-worker decodes photos for photogrid, which starts it as needed.\n", "2\n",
      ])
  }

  @Test func `all workers but one end after a while without requests, and start again`() throws {
    var limits = StoreLimits()
    limits.workerCount = 3
    let store = try PhotoStore.of(photos(6), limits: limits)
    store.prepare(at: now())
    store.fetchAll()
    #expect(store.pool.runningCount == 3)

    _ = store.service(at: now())
    let end = try #require(store.nextDeadline)
    _ = store.service(at: end)

    #expect(store.pool.runningCount == 1 && store.nextDeadline == nil)
    for photo in store.photos { store.reload(photo, at: now()) }
    let events = store.run()
    #expect(store.photos.allSatisfy { events.contains(.pictureReady($0)) })
  }
}
