import Foundation
import TestSupport
import Testing

@testable import photogrid

/// Where folders were left, as lines of a file.
@Suite struct ResumeFileTests {
  private let folder = TemporaryFolder()

  private var file: ResumeFile? { ResumeFile(["XDG_STATE_HOME": folder.path]) }

  private var text: String? {
    FileManager.default.contents(atPath: "\(folder.path)/photogrid/resume").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func resumption(at item: String, _ options: [OptionName: String] = [:]) -> Resumption {
    Resumption(item: Array(item.utf8), options: options)
  }

  @Test func `a place is a line, and comes back however its folder is written`() throws {
    let file = try #require(file)
    let options: [OptionName: String] = [
      .sort: "date", .reverse: "", .group: "month", .layout: "rows",
    ]
    let left = resumption(at: "b 2.jpg", options)
    #expect(file.resumption(of: Array("/photos".utf8)) == nil)
    file.update(Array("/photos/".utf8)) { $0 = left }
    #expect(text == "sort=date reverse group=month layout=rows\tb 2.jpg\t/photos\n")
    for path in ["/photos", "/photos/", "//photos/.", "/photos/2019/.."] {
      #expect(file.resumption(of: Array(path.utf8)) == left)
    }
    for path in ["/", "/photos/b", "/more/photos", "photos"] {
      #expect(file.resumption(of: Array(path.utf8)) == nil)
    }
  }

  @Test func `the last place of a folder counts, and none at its start`() throws {
    let file = try #require(file)
    file.update(Array("/1".utf8)) { $0 = resumption(at: "a") }
    file.update(Array("/2".utf8)) { $0 = resumption(at: "b") }
    file.update(Array("/1".utf8)) { $0 = resumption(at: "c") }
    #expect(text == "\tb\t/2\n\tc\t/1\n")
    file.update(Array("/1".utf8)) { $0 = resumption(at: "") }
    #expect(text == "\tb\t/2\n")
  }

  @Test(arguments: [
    Array("a\tb\nc%0A\u{7F}é".utf8), [0x61, 0xFF, 0xC3, 0x09], Array("été/ü.jpg".utf8), [0x25],
  ])
  func `any name comes back`(name: [UInt8]) throws {
    let file = try #require(file)
    for path in [[0x2F] + name, Array("/photos".utf8)] {
      file.update(path) { $0 = Resumption(item: name) }
      #expect(file.resumption(of: path)?.item == name)
    }
    #expect(text?.split(separator: "\n").count == 2)
  }

  @Test func `the latest 2,000 folders are kept, in less than a megabyte`() throws {
    let file = try #require(file)
    folder.write([], to: "photogrid-makes-this")
    file.update(Array("/first".utf8)) { $0 = resumption(at: "first") }
    let lines = (0..<2010).map { "\t\(String(repeating: "x", count: 900))\t/\($0)\n" }.joined()
    // More than is read: it is as if nothing was recorded.
    folder.write(Array(lines.utf8), to: "photogrid/resume")
    #expect(file.resumption(of: Array("/2009".utf8)) == nil)

    let short = (0..<2010).map { "\ta\t/\($0)\n" }.joined()
    folder.write(Array(short.utf8), to: "photogrid/resume")
    file.update(Array("/last".utf8)) { $0 = resumption(at: "last") }
    let kept = try #require(text).split(separator: "\n")
    #expect(kept.count == 2000 && kept.first == "\ta\t/11" && kept.last == "\tlast\t/last")
  }

  @Test func `long paths and broken lines are ignored`() throws {
    let file = try #require(file)
    file.update(Array("/long".utf8)) { $0 = resumption(at: String(repeating: "x", count: 4000)) }
    #expect(text == nil)
    file.update(Array("/a".utf8)) { $0 = resumption(at: "a") }
    folder.write(
      Array("no tab\n\t\n\t\t\t\t/b\nsort=date stdout rate=5 =\tc\t/c\n\t%G1%\t/d".utf8),
      to: "photogrid/resume")
    #expect(file.resumption(of: Array("/b".utf8)) == nil)
    #expect(file.resumption(of: Array("/c".utf8)) == resumption(at: "c", [.sort: "date"]))
    #expect(file.resumption(of: Array("/d".utf8)) == resumption(at: "%G1%"))
  }

  @Test func `options that were given win over the place`() throws {
    let options: [OptionName: String] = [
      .sort: "date", .reverse: "", .group: "month", .layout: "rows",
    ]
    let left = resumption(at: "b.jpg", options)
    func resumed(_ options: String...) throws -> ParsedArguments {
      var arguments = try ParsedArguments(options.map { Array($0.utf8) } + [Array("dir".utf8)])
      _ = arguments.resume(from: left, in: Array("dir".utf8))
      return arguments
    }
    let plain = try resumed()
    #expect(plain.values[.startAt] == Array("dir/b.jpg".utf8))
    #expect(plain.values[.sort] == Array("date".utf8) && plain.values[.reverse] == [])
    for given in ["--sort=size", "--group=none", "--reverse"] {
      let arguments = try resumed(given)
      #expect(arguments.values[.layout] == Array("rows".utf8))
      #expect(arguments.values.count == 3, "the option, the layout, and the start")
    }
    #expect(try resumed("--layout=mosaic").values[.layout] == Array("mosaic".utf8))
    #expect(try resumed("--start-at=3").values[.startAt] == Array("3".utf8))
    #expect(try resumed("--filter=x").values[.startAt] == nil)
  }
}
