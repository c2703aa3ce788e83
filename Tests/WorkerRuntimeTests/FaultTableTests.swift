import Foundation
import Testing

/// The forty faults that the program promises to survive, each with the tests that try it.
@Suite struct FaultTableTests {
  /// A fault by its number, in a few words, and the names of its tests.
  private static let faults: [(number: Int, fault: String, tests: [String])] = [
    (1, "TERM while photos decode", ["a signal while fifty photos are decoded ends all processes"]),
    (
      2, "HUP; the terminal is closed",
      [
        "closing the terminal ends the program and its workers",
        "a signal to terminate ends the program",
      ]
    ),
    (
      3, "a crash of the program",
      [
        "a crash restores the terminal, prints a message, and the shell sees it",
        "any signal that ends the program restores the terminal",
      ]
    ),
    (
      4, "a worker is killed",
      [
        "a worker killed while decoding costs one tile, with a message",
        "workers killed at any moment cost at most a photo each",
        "the pause before a replacement doubles up to two seconds",
      ]
    ),
    (5, "the program is killed", ["a kill restores the terminal and ends all processes"]),
    (
      6, "Ctrl-C, Ctrl-backslash, Ctrl-Z, STOP",
      [
        "Ctrl-C twice ends with the status of an interrupt",
        "Ctrl-backslash ends with the status of SIGQUIT",
        "Ctrl-Z leaves a usable shell, and fg paints everything again",
        "a resize while the program is stopped takes effect when it continues",
      ]
    ),
    (7, "a storm of resizes", ["many resizes end in the last size"]),
    (8, "tiny and huge terminals", ["the program can be used and quit in a terminal of any size"]),
    (
      9, "absurd sizes in pixels",
      ["reported sizes become plausible viewports", "implausible responses are ignored"]
    ),
    (
      10, "unknown terminals, no locale",
      [
        "without a usable terminal type it prints an error and draws nothing",
        "with LC_ALL=C ASCII replaces all other characters",
        "without a locale photos are shown without a message",
        "without TERM photos are printed without a message",
      ]
    ),
    (
      11, "streams that are no terminal, or closed",
      [
        "if standard output is not a terminal, pictures are printed",
        "without a controlling terminal it prints an error",
        "with closed standard streams the program ends and restores the terminal",
        "an output that cannot be written is an error",
      ]
    ),
    (12, "a slow reader", ["on a slow link frames are skipped, and q quits at once"]),
    (
      13, "a reader that stops",
      ["a terminal that stops reading costs no memory, and q still quits"]
    ),
    (14, "no answers", ["the program works in a terminal that does not respond"]),
    (
      15, "late answers",
      [
        "responses after a quick exit do not reach the shell",
        "late responses are used, and not taken as keys",
      ]
    ),
    (
      16, "hostile answers",
      [
        "keys within replies are not taken as keys", "a reply of seventy thousand bytes is dropped",
        "an endless string times out", "a paste does nothing",
        "random bytes are harmless",
      ]
    ),
    (
      17, "tmux",
      ["opening and closing a photo works in tmux and restores the grid", "a resize works in tmux"]
    ),
    (
      18, "hostile names",
      [
        "no name controls the terminal, and every photo is shown",
        "messages about malicious paths are harmless",
        "no folder's name controls the terminal, and each can be entered",
      ]
    ),
    (
      19, "odd names",
      [
        "wide names keep to their columns", "names of any bytes are reported unchanged",
        "unusual names are trashed and restored",
      ]
    ),
    (
      20, "hostile metadata",
      [
        "control characters of names are removed",
        "broken EXIF costs the facts, never the picture",
      ]
    ),
    (
      21, "pipes, sockets, devices",
      [
        "each bad file is a tile with its reason, beside good ones",
        "a file that is not a photo gets a plain message",
      ]
    ),
    (
      22, "loops of links",
      [
        "links that form a circle are followed once",
        "a link that forms a circle can be entered again and again",
        "folders deeper than the longest path are counted, not followed",
      ]
    ),
    (
      23, "no permission",
      [
        "an unreadable folder says \"no permission\", and counts once",
        "a file without read permission gets a message",
      ]
    ),
    (24, "camera photos", ["every photo of a real folder is shown"]),
    (
      25, "unusual files",
      [
        "every format is decoded with its quarters in the right places and colours",
        "CMYK and YCCK inks become RGB, also without an Adobe marker",
      ]
    ),
    (
      26, "broken files",
      [
        "files of all formats cut at any point give a picture or a message",
        "files with changed bytes give a picture or a message",
      ]
    ),
    (
      27, "bombs",
      [
        "photos that need much memory are decoded one after the other, small ones meanwhile",
        "an animation of too many pixels is a tile with a message, beside one that plays",
      ]
    ),
    (
      28, "headers that lie",
      [
        "headers that declare too large a size are refused with that size",
        "headers of these formats that declare too large a size are refused",
      ]
    ),
    (
      29, "cut files",
      [
        "a truncated photo is shown as far as it goes, and marked",
        "the available part of a truncated JPEG is shown and marked",
        "a truncated uncompressed file gives a marked picture or a failure",
      ]
    ),
    (
      30, "wrong extensions",
      [
        "the format is determined by the contents of a file, not by its name",
        "an SVG is recognized only by its extension, and files it refers to are not shown",
      ]
    ),
    (
      31, "EXIF thumbnails that lie",
      [
        "a thumbnail that is broken or does not match the photo is not shown",
        "a thumbnail is rotated like its photo, exactly once", "black bars are cut off a thumbnail",
      ]
    ),
    (
      32, "animations",
      [
        "an animation plays under the selection, frame by frame",
        "a deselected animation shows its first frame, and the program is idle",
      ]
    ),
    (
      33, "files that change while they are read",
      [
        "a file that is being written is shown when it is complete",
        "a photo that is written again is shown again, on the whole screen too",
        "a file that is deleted before it is complete is reported as absent",
      ]
    ),
    (
      34, "folders that go, and storms of changes",
      [
        "a removed folder is reported, and its photos stay", "too many changes are detected",
        "ten thousand new photos take few frames",
      ]
    ),
    (
      35, "a hundred thousand names",
      ["very many names are reported in order, the first before the rest is sorted"]
    ),
    (
      36, "disks that do not answer",
      [
        "while the disk hangs keys work, and the bar shows a message",
        "while a disk hangs keys work, and quitting twice does not wait",
      ]
    ),
    (
      37, "a cache that cannot be written",
      [
        "a cache that cannot be written gives one line of error",
        "without a usable cache folder photos are shown all the same",
        "a thumbnail that cannot be written leaves no file behind",
      ]
    ),
    (
      38, "a hostile cache",
      [
        "a hostile or damaged thumbnail is ignored and replaced",
        "links in the cache are not followed, neither for reading nor for writing",
        "a cache folder of another user is not written to",
        "implausible modification times work like any others",
        "every thumbnail is complete, whenever a worker is killed",
      ]
    ),
    (
      39, "limits of resources",
      [
        "too small a stack limit gives an error message, not a crash",
        "with few descriptors and little memory photos are printed",
      ]
    ),
    (
      40, "random events and bytes; beside these Tests/soak",
      [
        "random bytes never exceed the limit of held bytes",
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
