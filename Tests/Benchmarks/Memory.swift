import Foundation

/// The memory with 1,000 photos, with large ones, and with few, and what is done in ten idle seconds.
func measureMemory(_ arguments: Arguments) throws {
  let scratch = try Scratch()
  let photos = try jpegs(in: arguments[0], atMost: 1000)
  let table = Table("at 200x60, all visible ones settled: peak of resident memory in MB", [""])
  let session = try Session(photogrid: [try scratch.links(to: photos, 1000, "many")])
  session.settle(2)
  table.row("1,000 photos: photogrid", [session.process.peakMegabytes])
  for worker in session.process.descendants { table.row("worker", [worker.peakMegabytes]) }
  // Workers that are no longer needed end in this time.
  session.run(10)
  let processes = session.process.family
  func activity() -> [Double] {
    [
      processes.map(\.wakeUpCount).reduce(0, +),
      processes.map(\.processorSeconds).reduce(0, +) * 1000,
    ]
  }
  let before = activity()
  session.run(10)
  Table("ten idle seconds, all processes", ["wake-ups", "ms of CPU"]).row(
    "", zip(activity(), before).map(-))
  session.quit()

  let folder = try scratch.folder("large")
  let first = folder + "/0.jpg"
  try Command.need(
    ["vips", "thumbnail", photos[0], first, "6000", "--height", "4000", "--size", "force"])
  for number in 1..<20 { try hardLink(first, "\(folder)/\(number).jpg") }
  let large = try Session(photogrid: [folder])
  large.settle(1, limit: 60)
  large.press("\rnnnn")
  large.settle(1, limit: 60)
  for worker in large.process.descendants {
    table.row("twenty of 24 megapixels: worker", [worker.peakMegabytes])
  }
  large.quit()

  let small = try Session(photogrid: [try scratch.links(to: Array(photos.prefix(60)), 60, "few")])
  /// Those that were killed and not reaped yet have no memory.
  func proportional() -> [Double] {
    let sizes = small.process.family.map(\.proportionalMegabytes).filter { $0 > 0 }
    return [Double(sizes.count), sizes.reduce(0, +)]
  }
  let loading = (0..<40).map { _ in
    small.run(0.05)
    return proportional()
  }
  small.settle(2)
  small.run(10)
  let few = Table("60 photos: processes and their proportional memory", ["processes", "MB"])
  few.row("at most while loading", [loading.map { $0[0] }.most, loading.map { $0[1] }.most])
  few.row("after ten idle seconds", proportional())
  small.quit()
}

/// Pages through a whole folder, and opens some photos.
func measureResident(_ arguments: Arguments) throws {
  let session = try Session(
    photogrid: arguments.all.dropFirst() + [arguments.all[0]],
    environment: ["XDG_CACHE_HOME": "/dev/null/none"])
  var (all, program, worker) = (0.0, 0.0, 0.0)
  /// Looks every few milliseconds until the program has been silent for some seconds and no worker runs.
  func watch(_ quiet: Double) {
    let start = session.terminal.elapsed
    _ = session.run(120) {
      let workers = session.process.descendants
      let own = session.process.proportionalMegabytes
      let sizes = workers.map(\.proportionalMegabytes)
      (all, program) = (max(all, own + sizes.reduce(0, +)), max(program, own))
      worker = max(worker, sizes.max() ?? 0)
      return session.terminal.isQuiet(forSeconds: quiet, since: start)
        && !workers.contains { $0.state == "R" }
    }
  }
  watch(2)
  for page in 1...200 {
    let count = session.terminal.chunks.count
    // Scrolls by a page; every fourth time, opens and closes a photo.
    for keys in page % 4 == 0 ? ["\u{06}\r", "\u{1B}"] : ["\u{06}"] {
      session.press(keys)
      watch(0.7)
    }
    guard session.terminal.chunks.count > count, !session.hasEnded else { break }
  }
  let table = Table(
    "\(arguments.all.joined(separator: " ")): proportional memory in MB", ["most", "at the end"])
  table.row("program and workers together", [all])
  table.row("program", [program, session.process.proportionalMegabytes])
  table.row("largest worker", [worker])
  session.quit()
}
