import Glibc
import PhotoGridCore
import Testing

@testable import TerminalIO

struct TerminalQuestionsTests {
  @Test func `device attributes come last, and alone where a terminal shows what it does not know`()
  {
    let versed = TerminalQuestions(manner: .versed).list
    let plain = TerminalQuestions(manner: .plain, isITerm: true).list

    #expect(versed.last == .attributes)
    #expect(plain == [.attributes])
    #expect(text(asking: TerminalQuestions(manner: .plain)) == "\u{1B}[c")
  }

  @Test func `the questions are those of the protocols`() {
    #expect(
      text(asking: TerminalQuestions(manner: .versed, isLocal: false, isITerm: true))
        == "\u{1B}[>0q\u{1B}[14t\u{1B}[16t\u{1B}[?2026$p\u{1B}[?1016$p\u{1B}[?2031$p"
        + "\u{1B}]11;?\u{1B}\\\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
        + "\u{1B}P+q524742\u{1B}\\\u{1B}[?1;1;0S\u{1B}[?2;4;0S"
        + "\u{1B}_Gi=33,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}]1337;ReportCellSize\u{07}\u{1B}[c")
  }

  @Test func `on this machine shared memory and a file are tried, and removed afterwards`() throws {
    var objects: HandedObjects? = HandedObjects()
    let questions = TerminalQuestions(manner: .versed)

    let (bytes, asked) = questions.bytes(asking: questions.media, objects)
    let text = String(decoding: bytes, as: UTF8.self)
    let payloads = text.matches(of: /_Gi=3[12],s=1,v=1,a=q,t=[st],f=24;([^\u{1B}]*)\u{1B}/).map {
      String($0.1)
    }
    #expect(asked == [.kittySharedMemory, .kittyFile])
    try #require(payloads.count == 2)
    let paths = try ["/dev/shm" + decoded(payloads[0]), decoded(payloads[1])]
    for path in paths {
      #expect(access(path, R_OK) == 0, "\(path)")
      #expect(try contents(of: path) == [0, 0, 0], "\(path)")
    }
    // Terminals remove nothing else.
    #expect(paths[1].contains("tty-graphics-protocol"))
    objects = nil
    for path in paths { #expect(access(path, F_OK) != 0, "\(path) is left") }
  }

  @Test func `what the terminal has removed already is no fault`() throws {
    let objects = HandedObjects()
    let name = try #require(objects.addFile([1, 2, 3]))

    unlink(String(decoding: name, as: UTF8.self))
    objects.removeAll()
    objects.removeAll()
  }

  @Test func `on another machine no object is offered`() {
    let questions = TerminalQuestions(manner: .versed, isLocal: false)

    #expect(questions.list.contains(.kittyDirect))
    #expect(questions.media.isEmpty)
  }

  @Test func `in tmux kitty is asked through it, and never directly`() throws {
    let text = text(asking: TerminalQuestions(manner: .tmux, isLocal: false))

    // Without what is wrapped, no string of kitty's is left for tmux to make a title of.
    let wrapper = /\u{1B}Ptmux;((?:[^\u{1B}]|\u{1B}\u{1B})*)\u{1B}\\/
    let wrapped = text.matches(of: wrapper).map {
      $0.1.split(separator: "\u{1B}\u{1B}", omittingEmptySubsequences: false)
        .joined(separator: "\u{1B}")
    }
    #expect(
      wrapped == [
        "\u{1B}_Gi=33,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", "\u{1B}[>0q", "\u{1B}]11;?\u{1B}\\",
        "\u{1B}[c",
      ])
    #expect(!text.replacing(wrapper, with: "").contains("\u{1B}_"))
  }

  private func text(asking questions: TerminalQuestions) -> String {
    String(decoding: questions.bytes(asking: questions.list, nil).bytes, as: UTF8.self)
  }

  private func decoded(_ base64: String) throws -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for character in base64 where character != "=" {
      bits = bits << 6 | (try #require(digits.firstIndex(of: character)))
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = max(read(descriptor, buffer.baseAddress, 16), 0)
    }
  }
}

struct InquiryTests {
  @Test func `judgement is due when all is answered, or late`() {
    var prompt = begun()
    prompt.elapse(to: Instant(seconds: 10.01))
    #expect(!prompt.isJudgementDue)
    #expect(prompt.nextDeadline == Instant(seconds: 10.15))
    expectTaken(TerminalReply(.control, "?62;4c"), by: &prompt)
    prompt.elapse(to: Instant(seconds: 10.02))
    #expect(prompt.isJudgementDue && prompt.nextDeadline == nil)

    var silent = begun()
    silent.elapse(to: Instant(seconds: 10.149))
    #expect(!silent.isJudgementDue)
    silent.elapse(to: Instant(seconds: 10.15))
    #expect(silent.isJudgementDue && silent.nextDeadline == nil)
  }

  @Test func `late answers count`() {
    var inquiry = begun()
    inquiry.elapse(to: Instant(seconds: 10.15))

    expectTaken(TerminalReply(.application, "Gi=33;OK"), by: &inquiry)
    #expect(inquiry.answers.takesGraphics(.kittyDirect))
  }

  @Test func `nothing is expected before anything was asked`() {
    var inquiry = Inquiry()

    inquiry.elapse(to: Instant(seconds: 100))

    #expect(!inquiry.isJudgementDue && inquiry.nextDeadline == nil)
    #expect(!inquiry.awaitsAnswers(at: Instant(seconds: 0)))
    let isTaken = inquiry.take(TerminalReply(.control, "?62;4c"))
    let question = inquiry.ask([.cell])
    #expect(!isTaken && question.isEmpty)
  }

  @Test func `answers are waited for, but not for ever`() {
    let inquiry = begun()

    #expect(inquiry.awaitsAnswers(at: Instant(seconds: 12.9)))
    #expect(!inquiry.awaitsAnswers(at: Instant(seconds: 13.1)))
    #expect(inquiry.delaysParting(at: Instant(seconds: 11.4)))
    #expect(!inquiry.delaysParting(at: Instant(seconds: 11.6)))
  }

  @Test func `the terminal around tmux may stay silent`() {
    var inquiry = begun(.tmux)
    expectTaken(TerminalReply(.control, "?1;2c"), by: &inquiry)
    #expect(inquiry.awaitsAnswers(at: Instant(seconds: 10.9)))
    #expect(!inquiry.awaitsAnswers(at: Instant(seconds: 11.1)))
    #expect(inquiry.delaysParting(at: Instant(seconds: 10.2)))
    #expect(!inquiry.delaysParting(at: Instant(seconds: 10.4)))

    expectTaken(TerminalReply(.control, "?62;c"), by: &inquiry)
    #expect(!inquiry.awaitsAnswers(at: Instant(seconds: 10.1)))
  }

  @Test func `whether pictures are found by name is asked where there are pictures at all`() {
    var inquiry = Inquiry()
    _ = inquiry.begin(TerminalQuestions(manner: .versed), at: Instant(seconds: 10))
    let early = inquiry.followUp(at: Instant(seconds: 10.01))
    expectTaken(TerminalReply(.application, "Gi=33;OK"), by: &inquiry)
    let question = inquiry.followUp(at: Instant(seconds: 10.1))
    let twice = inquiry.followUp(at: Instant(seconds: 10.11))
    expectTaken(TerminalReply(.control, "?62;c"), by: &inquiry)

    // All of the first questions are answered, but it is not yet time to choose.
    inquiry.elapse(to: Instant(seconds: 10.2))
    #expect(!inquiry.isJudgementDue && inquiry.nextDeadline == Instant(seconds: 10.25))
    expectTaken(TerminalReply(.application, "Gi=31;OK"), by: &inquiry)
    expectTaken(TerminalReply(.application, "Gi=32;ENOENT"), by: &inquiry)
    inquiry.elapse(to: Instant(seconds: 10.21))

    #expect(inquiry.isJudgementDue && inquiry.nextDeadline == nil)
    #expect(early.isEmpty && twice.isEmpty)
    #expect(String(decoding: question, as: UTF8.self).contains("t=s"))
    #expect(inquiry.answers.takesGraphics(.kittySharedMemory))
    #expect(!inquiry.answers.takesGraphics(.kittyFile))
  }

  @Test func `a terminal that says nothing about objects gets its pictures without them`() {
    var inquiry = Inquiry()
    _ = inquiry.begin(TerminalQuestions(manner: .versed), at: Instant(seconds: 10))
    expectTaken(TerminalReply(.control, "?62;c"), by: &inquiry)
    inquiry.elapse(to: Instant(seconds: 10.01))
    let judged = inquiry.isJudgementDue
    // Late, so that the choice has been made already.
    expectTaken(TerminalReply(.application, "Gi=33;OK"), by: &inquiry)
    _ = inquiry.followUp(at: Instant(seconds: 12))
    let judgedAgain = inquiry.isJudgementDue
    inquiry.elapse(to: Instant(seconds: 12.15))

    #expect(judged && !judgedAgain && inquiry.isJudgementDue)
    #expect(inquiry.awaitsAnswers(at: Instant(seconds: 12.9)))
    #expect(!inquiry.awaitsAnswers(at: Instant(seconds: 13.1)))
  }

  @Test func `what is asked is not asked again before it is answered`() {
    var inquiry = begun()

    let early = inquiry.ask([.background])
    expectTaken(TerminalReply(.operatingSystem, "11;rgb:0/0/0"), by: &inquiry)
    let again = inquiry.ask([.background])
    let twice = inquiry.ask([.background])
    expectTaken(TerminalReply(.operatingSystem, "11;rgb:f/f/f"), by: &inquiry)

    #expect(early.isEmpty && twice.isEmpty)
    #expect(again == Array("\u{1B}]11;?\u{1B}\\".utf8))
    #expect(inquiry.answers.background == RGB(255, 255, 255))
  }

  private func expectTaken(
    _ reply: TerminalReply, by inquiry: inout Inquiry,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isTaken = inquiry.take(reply)
    #expect(isTaken, "\(reply)", sourceLocation: sourceLocation)
  }

  private func begun(_ manner: TerminalManner = .versed) -> Inquiry {
    var inquiry = Inquiry()
    _ = inquiry.begin(
      TerminalQuestions(manner: manner, isLocal: false), at: Instant(seconds: 10))
    return inquiry
  }
}

struct CellMeasurementTests {
  typealias Case = (
    input: String, pixels: PixelSize, cell: PixelSize, source: CellMeasurement.Source
  )

  static let cases: [Case] = [
    ("", .zero, PixelSize(width: 10, height: 20), .assumption),
    // xterm counts its border.
    ("", PixelSize(width: 724, height: 460), PixelSize(width: 9, height: 19), .window),
    (
      "6;22;11t", PixelSize(width: 800, height: 480), PixelSize(width: 11, height: 22),
      .cellReport
    ),
    ("6;0;0t", PixelSize(width: 800, height: 480), PixelSize(width: 10, height: 20), .window),
    ("4;528;880t", .zero, PixelSize(width: 11, height: 22), .textArea),
    ("4;9;9t", .zero, PixelSize(width: 10, height: 20), .assumption),
    // A window of one pixel, as some systems report.
    ("", PixelSize(width: 1, height: 1), PixelSize(width: 10, height: 20), .assumption),
    ("", PixelSize(width: 65535, height: 65535), PixelSize(width: 10, height: 20), .assumption),
  ]

  @Test(arguments: cases.indices)
  func `the best of what can be true is taken`(row: Int) {
    let (input, pixels, cell, source) = Self.cases[row]
    var answers = TerminalAnswers()
    answers.expect([.cell, .textArea])
    if !input.isEmpty { _ = answers.take(TerminalReply(.control, input)) }

    let measurement = CellMeasurement(
      answers, window: WindowSize(cells: CellSize(columns: 80, rows: 24), pixels: pixels))

    #expect(measurement.cell == cell && measurement.source == source)
  }

  @Test func `a terminal without cells has none to measure`() {
    #expect(CellMeasurement(TerminalAnswers(), window: .unknown).source == .assumption)
  }
}
