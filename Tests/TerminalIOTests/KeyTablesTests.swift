import SceneModel
import Testing

@testable import TerminalIO

struct KeyTablesTests {
  @Test(arguments: [
    ("kUP5", Key.up), ("kDN3", .down), ("kLFT", .left), ("kRIT7", .right), ("kHOM5", .home),
    ("kEND2", .end), ("kNXT6", .pageDown), ("kPRV3", .pageUp), ("kDC5", .delete),
  ])
  func `a key with modifiers counts as the plain key`(name: String, key: Key) {
    #expect(KeyTables.key(named: name) == key)
  }

  @Test(arguments: ["", "5", "kxIN", "kp5", "^A", "KEY_F(1)", "unknown"])
  func `other names are not keys`(name: String) {
    #expect(KeyTables.key(named: name) == nil)
  }

  @Test(arguments: ["", "R", "1;2R", "?1A", "4;480;800t", "2A", "100~", "9~", "1;2;3A", "0n", ">c"])
  func `other control sequences are not keys`(body: String) {
    #expect(KeyTables.key(ofControl: Array(body.utf8)) == nil)
  }

  @Test
  func `every C0 control character is a key, and no C1 control character is`() {
    for value in 0..<0x20 as Range<UInt32> {
      #expect(Unicode.Scalar(value).flatMap(KeyTables.key(of:)) != nil, "\(value)")
    }
    for value in 0x80..<0xA0 as Range<UInt32> {
      #expect(Unicode.Scalar(value).flatMap(KeyTables.key(of:)) == nil, "\(value)")
    }
  }
}
