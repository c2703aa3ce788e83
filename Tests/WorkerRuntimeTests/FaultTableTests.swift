import Foundation
import Testing

/// The forty faults that the program promises to survive, each with the tests that try it.
@Suite struct FaultTableTests {
  /// A fault by its number, in a few words, and the names of its tests.
  private static let faults: [(number: Int, fault: String, tests: [String])] = [
    (1, "TERM while photos decode", ["a signal while fifty photos are decoded ends all of it"]),
    (
      2, "HUP; the terminal is closed",
      [
        "a terminal that is closed takes the program and its workers along",
        "a signal that asks to end is obeyed",
      ]
    ),
    (
      3, "a crash of the program",
      [
        "a crash restores the terminal, says so, and is seen by the shell",
        "whatever signal ends the program, the terminal is restored",
      ]
    ),
    (4, "a worker is killed", ["a worker killed at its work costs one tile, which says so"]),
    (5, "the program is killed", ["workers end when the program is killed"]),
    (
      6, "Ctrl-C, Ctrl-backslash, Ctrl-Z, STOP",
      [
        "Ctrl-C leaves as an interrupt does", "Ctrl-backslash leaves as it does elsewhere",
        "Ctrl-Z gives a usable shell, and fg paints everything again",
        "resized while stopped it comes back in the new size",
      ]
    ),
    (7, "a storm of resizes", ["a storm of resizes ends in the last size"]),
    (8, "tiny and huge terminals", ["a terminal of any size can be used and left"]),
    (
      9, "absurd sizes in pixels",
      ["reports become sizes that can be worked with", "what cannot be true is not believed"]
    ),
    (
      10, "unknown terminals, no locale",
      [
        "without a usable terminal type it says why and draws nothing",
        "LC_ALL=C has ASCII characters in place of others",
      ]
    ),
    (
      11, "streams that are no terminal, or closed",
      [
        "without a terminal on standard output it prints",
        "without a controlling terminal it says so", "closed standard streams hold nothing up",
        "an output that cannot be written is told",
      ]
    ),
    (12, "a slow reader", ["on a slow line frames are left out, and q is obeyed at once"]),
    (
      13, "a reader that stops",
      ["a terminal that stops reading costs no memory, and q still quits"]
    ),
    (14, "no answers", ["a terminal that answers nothing is drawn on all the same"]),
    (
      15, "late answers",
      [
        "left before the answers come, the shell gets none of them",
        "late answers count, and are no keys",
      ]
    ),
    (
      16, "hostile answers",
      [
        "keys inside of replies are not keys", "a reply of seventy thousand bytes is swallowed",
        "a string that never ends is given up after silence", "a paste does nothing",
        "random bytes do no harm",
      ]
    ),
    (17, "tmux", ["grid, zoom and home are the same in tmux", "a resize in tmux is followed"]),
    (
      18, "hostile names",
      [
        "no name acts on the terminal, and every photo is shown",
        "messages about hostile paths are harmless",
        "no folder's name acts on the terminal, and each can be entered",
      ]
    ),
    (
      19, "odd names",
      [
        "wide names push nothing out of its column", "names of any bytes are told as they are",
        "odd names go into the trash and come back",
      ]
    ),
    (
      20, "hostile metadata",
      [
        "names that would act on the terminal do not",
        "broken EXIF costs the facts, never the picture",
      ]
    ),
    (
      21, "pipes, sockets, devices",
      [
        "each bad file is a tile that says what is wrong, beside good ones",
        "what is no photo is told in plain words",
      ]
    ),
    (
      22, "loops of links",
      ["loops of links end", "a link in circles leads as far in as one goes, and out again"]
    ),
    (
      23, "no permission",
      [
        "an unreadable folder says \"no permission\", and counts once",
        "a file that may not be read is told so",
      ]
    ),
    (24, "camera photos", ["every photo of a real folder is shown"]),
    (
      25, "unusual files",
      [
        "every format shows its quarters in their places and colours",
        "inks are light again, in both ways that files keep them and without a marker",
      ]
    ),
    (
      26, "broken files",
      [
        "files of all formats cut anywhere end in a picture or in words",
        "changed bytes end in a picture or in words",
      ]
    ),
    (
      27, "bombs",
      [
        "photos that need much memory are decoded one after the other, small ones meanwhile",
        "a bomb of frames is a tile that says so, beside one that plays",
      ]
    ),
    (
      28, "headers that lie",
      [
        "headers that promise too much are refused by their words",
        "a header of any format that announces too much is refused at once",
      ]
    ),
    (
      29, "cut files",
      [
        "what is left of a cut photo is shown and marked",
        "of a JPEG that ends early the part that is there is shown and marked",
        "an uncompressed file that is cut shows what is there, and is marked",
      ]
    ),
    (
      30, "wrong extensions",
      [
        "a file's name says nothing about what is in it",
        "a drawing is shown by its name alone, and nothing that it refers to",
      ]
    ),
    (
      31, "EXIF thumbnails that lie",
      [
        "a thumbnail that is not the photo, or is broken, is not shown",
        "a thumbnail is turned as the photo is, once", "black bars are cut off a thumbnail",
      ]
    ),
    (
      32, "animations",
      [
        "a film plays under the selection, every frame in its turn",
        "away from it it stands at its first frame, and nothing is done",
      ]
    ),
    (
      33, "files that change while they are read",
      [
        "a file that is being written is shown when it is complete",
        "a photo that is written anew is shown anew, on the whole screen too",
        "one that vanishes before it is complete is told as gone",
      ]
    ),
    (
      34, "folders that go, and storms of changes",
      [
        "a folder that is removed is said to be gone, and its photos stay",
        "ten thousand new photos cost a few frames",
      ]
    ),
    (
      35, "a hundred thousand names",
      ["very many names are reported in order, the first before the rest is sorted"]
    ),
    (
      36, "disks that do not answer",
      [
        "while the disk does not answer keys do, and the bar says so",
        "while a disk does not answer keys are, and quitting twice does not wait",
      ]
    ),
    (
      37, "a cache that cannot be written",
      [
        "a cache that cannot be filled is told in one line",
        "without a usable folder everything is shown all the same",
      ]
    ),
    (
      38, "a hostile cache",
      [
        "a hostile or damaged thumbnail is as good as none, and made anew",
        "links in the cache are not followed, neither for reading nor for writing",
        "a folder of somebody else's is not written to",
        "times that somebody made up are as good as any",
      ]
    ),
    (39, "limits of resources", ["too small a limit is a sentence rather than a crash"]),
    (
      40, "random events and bytes; beside these Tests/soak",
      [
        "random bytes never make it hold more than its bound",
        "every photo is shown, filtered out or in the trash, and undo brings all back",
      ]
    ),
  ]

  @Test func `each of the forty faults has its tests`() throws {
    #expect(Self.faults.map(\.number) == Array(1...40))
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    var sources = ""
    let files = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files
    where file.pathExtension == "swift" && file.path != URL(fileURLWithPath: #filePath).path {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    for fault in Self.faults {
      for test in fault.tests {
        #expect(sources.contains("func `\(test)`"), "\(fault.number): \(test)")
      }
    }
  }
}
