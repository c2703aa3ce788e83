import Glibc

/// The parsers that libFuzzer feeds, by the names that the script `Tests/fuzz` uses.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "headers": fuzzHeaders, "previews": fuzzPreviews, "coefficients": fuzzCoefficients,
  "scans": fuzzScans, "metadata": fuzzMetadata, "thumbnail": fuzzThumbnail,
  "requests": fuzzRequests, "responses": fuzzResponses, "input": fuzzInput,
  "filter": fuzzFilter, "journal": fuzzJournal, "configuration": fuzzConfiguration,
  "arguments": fuzzArguments, "pattern": fuzzPattern, "orientation": fuzzOrientation,
  "sidecars": fuzzSidecars, "words": fuzzWords, "sixel": fuzzSixel, "png": fuzzPNG,
  "films": fuzzFilms, "pictures": fuzzPictures, "containers": fuzzContainers,
]

private let target: @Sendable ([UInt8]) -> Void = {
  let name = getenv("PHOTOGRID_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    print("PHOTOGRID_FUZZ names none of: \(targets.keys.sorted().joined(separator: " "))")
    exit(2)
  }
  return target
}()

/// Runs the chosen parser with an input of libFuzzer's.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

/// Ends the process unless a condition holds, so that libFuzzer keeps the input.
func require(_ condition: Bool, _ message: StaticString = "", line: UInt = #line) {
  if !condition { fail("\(message)", line: line) }
}

/// Ends the process with a message, so that libFuzzer keeps the input.
func fail(_ message: String, line: UInt = #line) -> Never {
  print("line \(line): \(message)")
  fflush(nil)
  abort()
}
