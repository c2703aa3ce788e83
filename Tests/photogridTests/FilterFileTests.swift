import Foundation
import Photos
import TestSupport
import Testing

@testable import photogrid

/// Filters that are saved under names.
@Suite struct FilterFileTests {
  private let folder = TemporaryFolder()

  private var file: FilterFile { FilterFile(folder: folder.path("photogrid")) }

  private func text() -> String? {
    FileManager.default.contents(atPath: "\(folder.path)/photogrid/filters").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func write(_ bytes: some Sequence<UInt8>) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/photogrid", withIntermediateDirectories: true)
    folder.write(Array(bytes), to: "photogrid/filters")
  }

  private static let rome = NamedFilter(
    name: "best-of-rome", filter: "rome rating:>=4", order: SortOrder(by: .taken, isReversed: true),
    grouping: .month, folder: "/photos/2024 été")

  @Test func `a filter is a line, and comes back as it was saved`() throws {
    #expect(try file.filters() == [])
    try file.save(Self.rome)
    #expect(text() == "best-of-rome\t-date\tmonth\t/photos/2024 été\trome rating:>=4\n")
    let wide = NamedFilter(name: "été.2", filter: "", order: SortOrder(by: .size), grouping: .none)
    try file.save(wide)
    #expect(try file.filters() == [Self.rome, wide])
    let again = NamedFilter(
      name: "best-of-rome", filter: "rome", order: .listed, grouping: .none)
    try file.save(again)
    #expect(try file.filters() == [wide, again])
  }

  @Test func `tabs and line breaks become spaces, and other lines stay`() throws {
    try write("# my filters\nno filter at all\n".utf8)
    try file.save(
      NamedFilter(
        name: "a", filter: "x\ty\nz", order: .listed, grouping: .none, folder: "/a\nb"))
    #expect(text() == "# my filters\nno filter at all\na\tlisted\tnone\t/a b\tx y z\n")
    #expect(try file.filters().map(\.filter) == ["x y z"])
  }

  @Test(arguments: [
    ("a", true), ("best-of-rome", true), ("Rom_2.0", true), ("été", true), ("", false),
    ("a b", false), ("a/b", false), ("a\u{1B}", false), (String(repeating: "a", count: 61), false),
  ])
  func `names are letters, digits and three signs`(name: String, isName: Bool) {
    #expect(NamedFilter.isName(name) == isName)
  }

  @Test(arguments: [[0xFF, 0xFE], [0x61, 0, 0x62], [UInt8](repeating: 0x61, count: 300_000)])
  func `a file that is not text is said, and stays`(bytes: [UInt8]) throws {
    try write(bytes)
    let fault = #expect(throws: OptionError.self) { try file.save(Self.rome) }
    #expect(fault?.message.hasSuffix("not text, or over 256 kB") == true)
    #expect(
      FileManager.default.contents(atPath: "\(folder.path)/photogrid/filters") == Data(bytes))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/photogrid") == ["filters"]
    )
  }

  @Test func `a file with several names stays one file`() throws {
    try file.save(Self.rome)
    let path = "\(folder.path)/photogrid/filters"
    let before = text()
    #expect(link(path, "\(folder.path)/other") == 0)
    let fault = #expect(throws: OptionError.self) {
      try file.save(NamedFilter(name: "b", filter: "", order: .listed, grouping: .none))
    }
    #expect(fault?.message == "it has several names (hard links) (\(path))")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_nlink == 2 && text() == before)
  }

  @Test func `a filter that cannot be saved is said`() throws {
    folder.write([0x61], to: "photogrid")
    let fault = #expect(throws: OptionError.self) { try file.save(Self.rome) }
    #expect(fault?.message.contains("Not a directory") == true)
  }

  @Test func `sessions that save at the same time keep all filters`() async throws {
    let file = file
    await withTaskGroup(of: Void.self) { group in
      for session in 0..<4 {
        group.addTask {
          for turn in 0..<10 {
            let filter = NamedFilter(
              name: "f\(session)-\(turn)", filter: "", order: .listed, grouping: .none)
            do { try file.save(filter) } catch { Issue.record(error) }
          }
        }
      }
    }
    let names = (0..<4).flatMap { session in (0..<10).map { "f\(session)-\($0)" } }
    #expect(Set(try file.filters().map(\.name)) == Set(names))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/photogrid") == ["filters"]
    )
  }

  @Test func `a link to the file stays, and the mode of the file`() throws {
    let target = folder.write(Array("# mine\n".utf8), to: "dotfiles/filters", mode: 0o640)
    mkdir("\(folder.path)/photogrid", 0o700)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/photogrid/filters", withDestinationPath: "../dotfiles/filters")
    try file.save(Self.rome)
    #expect(text()?.hasPrefix("# mine\nbest-of-rome\t") == true)
    var status = stat()
    #expect(lstat("\(folder.path)/photogrid/filters", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(String(decoding: target, as: UTF8.self), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)
  }

  // MARK: - On the command line

  private func expanded(_ words: String...) throws -> Configuration {
    var arguments = try ParsedArguments(words.map { Array($0.utf8) })
    try arguments.expandSavedFilter(from: file)
    return try Configuration(arguments)
  }

  @Test func `an at sign and its name show it again`() throws {
    try file.save(Self.rome)
    let configuration = try expanded("@best-of-rome")
    #expect(configuration.view.filter?.text == "rome rating:>=4")
    #expect(configuration.view.order == SortOrder(by: .taken, isReversed: true))
    #expect(configuration.view.grouping == .month)
    #expect(configuration.input.paths == [Array("/photos/2024 été".utf8)])
  }

  @Test func `options and folders that are given come before saved ones`() throws {
    try file.save(Self.rome)
    let configuration = try expanded(
      "@best-of-rome", "/other", "--filter", "berlin", "--sort", "size", "--group", "none")
    #expect(configuration.view.filter?.text == "berlin")
    #expect(configuration.view.order == SortOrder(by: .size))
    #expect(configuration.view.grouping == .none)
    #expect(configuration.input.paths == [Array("/other".utf8)])
  }

  @Test func `an unknown name is said with those that are known`() throws {
    try file.save(Self.rome)
    let fault = #expect(throws: OptionError.self) { try expanded("@rom") }
    #expect(fault?.message == "@rom: no saved filter has that name. Saved: @best-of-rome")
  }
}
