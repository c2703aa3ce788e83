/// Whether bytes are safe to send to a terminal, without using the program's own tables.
enum OutputInspection {
  /// The control sequences that are expected.
  enum Allowance {
    /// Only colors, as in printed pictures.
    case colors
    /// Everything that draws a screen.
    case screen
  }

  /// The errors in an output; empty if there are none.
  ///
  /// Invalid UTF-8, a control character that draws nothing, a C1 control, a mark that reverses the
  /// order of text, a string sequence (OSC, DCS, APC, PM, SOS), or a control sequence that is not
  /// expected.
  static func faults(in bytes: [UInt8], allowing allowance: Allowance) -> [String] {
    var faults: [String] = []
    if String(validating: bytes, as: UTF8.self) == nil { faults.append("not UTF-8") }
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x1B: if let fault = sequenceFault(&rest, allowance) { faults.append(fault) }
      case 0x0A: break
      case 0x0D, 0x08, 0x09, 0x0E, 0x0F:
        if case .colors = allowance { faults.append("control \(scalar.value)") }
      case 0x18:
        // CAN before ST: the start of the cleanup of a terminal that is behind.
        if case .colors = allowance { faults.append("control \(scalar.value)") }
      case 0..<0x20, 0x7F..<0xA0: faults.append("control \(scalar.value)")
      case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
        faults.append("order mark \(String(scalar.value, radix: 16))")
      default: break
      }
    }
    return faults
  }

  /// Whether a sequence, without its ESC and its end, is one of the queries to the terminal about
  /// itself.
  private static func isQuestion(_ text: String) -> Bool {
    let questions = [
      "[>0q", "[14t", "[16t", "[?2026$p", "[?1016$p", "[?2031$p", "[?2033$p", "[?2048$p", "[?u",
      "]22;?default,pointer,zoom-out,grab,grabbing,text", "]99;i=photogrid:p=?;",
      "]11;?", "P$qm",
      "P+q524742", "[?1;1;0S", "[?2;4;0S", "]1337;ReportCellSize", "[c",
      "]72;t=q:i=1",
    ]
    return questions.contains(text)
      || text.wholeMatch(
        of: /_Gi=3[1234],s=1,v=1,a=q,t=[std](?:,U=1)?,f=24;[A-Za-z0-9+\/]{4,120}=?=?/) != nil
  }

  /// Parses the text of a string sequence up to its end.
  private static func string(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = ""
    while let scalar = rest.popFirst() {
      if scalar.value == 0x07 { break }
      if scalar.value == 0x1B {
        _ = rest.popFirst()
        break
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// Parses the sequence after an ESC, and returns its error.
  private static func sequenceFault(
    _ rest: inout Substring.UnicodeScalarView, _ allowance: Allowance
  ) -> String? {
    guard let first = rest.popFirst() else { return "ESC at the end" }
    switch (first, allowance) {
    case ("P", .screen), ("]", .screen), ("_", .screen):
      let text = String(first) + string(&rest)
      // The window's title, without controls, which would end the string.
      if text.hasPrefix("]2;photogrid: ") { return nil }
      // A link to a file, and its end.
      if text.wholeMatch(of: /\]8;;(?:file:\/\/[A-Za-z0-9.\/%~_-]*)?/) != nil { return nil }
      // Drag and drop: keys, then a media type, the computer's name, or Base64.
      if text.wholeMatch(of: /\]72;[A-Za-z0-9:=-]+(;[A-Za-z0-9:\/+-]*)?/) != nil { return nil }
      return isQuestion(text) ? nil : "string \(text.debugDescription)"
    case ("[", _):
      var text = ""
      while let scalar = rest.popFirst() {
        text.unicodeScalars.append(scalar)
        if (0x40...0x7E).contains(scalar.value) { break }
      }
      if case .screen = allowance, isQuestion("[" + text) { return nil }
      let finals = allowance == .colors ? "m" : "ABCDGHJKPXZ@bcdhlmnrtu"
      guard let last = text.last, finals.contains(last) else { return "sequence CSI \(text)" }
      // Of window operations, only those that save and restore the title.
      if last == "t", !["22;0;0t", "23;0;0t", "22;0t", "23;0t"].contains(text) {
        return "sequence CSI \(text)"
      }
      return nil
    case ("7", .screen), ("8", .screen), ("=", .screen), (">", .screen), ("M", .screen),
      ("\\", .screen):
      return nil
    case ("(", .screen), (")", .screen):
      _ = rest.popFirst()
      return nil
    default: return "sequence ESC \(first)"
    }
  }
}
