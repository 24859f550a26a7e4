import Foundation
import OutputFiles
import Testing

@testable import Reporting

/// Figures are checked where files are read.
@Suite struct FigureRangeTests {
  private static let digits = String(repeating: "9", count: 100_001)

  private func error(_ column: String, _ value: String) throws -> String {
    let trials = [MadeUpResults.trial("all-main", nil, scale: 1)]
    var csv = TrialTable.csv(trials)
    csv.records[0][try #require(csv.header.firstIndex(of: column))] = value
    let error = #expect(throws: FileError.self) { try TrialTable.trials(in: csv, path: "trials.csv") }
    return error?.description ?? ""
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "-1", "1000000000000001"])
  func `a figure of a table that is out of range is refused with its line and column`(value: String) throws {
    #expect(
      try error("import_ns", value)
        == "trials.csv:2: import_ns: \(value) is out of range; use 0 to 1000000000000000")
  }

  @Test func `what is no integer is quoted in sixty characters at most`() throws {
    #expect(
      try error("main_busy_ns", "1.5") == "trials.csv:2: main_busy_ns: 1.5 is not an integer; use 0 to 1000000000000000"
    )
    #expect(
      try error("main_busy_ns", Self.digits)
        == "trials.csv:2: main_busy_ns: \(Self.digits.prefix(60))… is not an integer; use 0 to 1000000000000000")
    #expect(try error("trial", "1000001").contains("trial: 1000001 is out of range; use 0 to 1000000"))
    #expect(try error("verified", "2").contains("verified: 2 is out of range; use 0 to 1"))
  }

  @Test func `the largest figures and seeds are read`() throws {
    var trial = MadeUpResults.trial("all-main", nil, scale: 1)
    trial.measures.importNanoseconds = 1_000_000_000_000_000
    trial.identity.seed = .max
    let read = try TrialTable.trials(in: TrialTable.csv([trial]), path: "trials.csv")
    #expect(read[0].measures == trial.measures && read[0].identity.seed == .max)
  }

  @Test func `a trial that appears twice is refused`() throws {
    let trial = MadeUpResults.trial("all-main", nil, scale: 1)
    let error = #expect(throws: FileError.self) {
      try TrialTable.trials(in: TrialTable.csv([trial, trial]), path: "trials.csv")
    }
    #expect(error?.description == "trials.csv:3: trial 1 of all-main appears twice")
  }

  private struct Value: Decodable, Equatable {
    var name: String
    var parts: [String: [Int64]]?
  }

  @Test(arguments: [
    (
      "{\"name\":\"x\",\n\"parts\":{\"a\":[1],\n\"b\":[2,-3]}}",
      "file.json:3: parts.b: -3 is out of range; use 0 to 1000000000000000"
    ),
    (
      "{\"name\":\"9e99\\\":-1\",\"parts\":{\"a\":[1e3]}}",
      "file.json:1: parts.a: 1e3 is not an integer; use 0 to 1000000000000000"
    ),
    (
      "{\"name\":\"x\",\"parts\":{\"count\":[1000001]}}",
      "file.json:1: parts.count: 1000001 is out of range; use 0 to 1000000"
    ),
    ("{\"parts\":{}}", "file.json: not a value: name is missing"),
    ("{\"name\":1}", "file.json: not a value: name has a value of another type"),
    ("{\"name\":\"x", "file.json: not a value"), ("]]}\"", "file.json: not a value"), ("", "file.json: not a value"),
  ])
  func `a number of a JSON file is checked before the file is decoded`(text: String, message: String) {
    let error = #expect(throws: FileError.self) {
      try StoredJSON.decode(Value.self, from: Data(text.utf8), path: "file.json", expected: "a value")
    }
    #expect(error?.description == message)
  }

  @Test func `a JSON file whose numbers are in range is decoded`() throws {
    let text = #"{"name":"-5 \"trial\": 9e9","parts":{"a":[0,1000000000000000],"posted":[1]}}"#
    let value = try StoredJSON.decode(Value.self, from: Data(text.utf8), path: "file.json", expected: "a value")
    #expect(value.parts?["a"] == [0, 1_000_000_000_000_000])
  }

  @Test func `a manifest with a charge out of range is refused with its line`() throws {
    let json = String(decoding: try MadeUpResults.manifest.json(), as: UTF8.self)
    let text = json.replacing(#""cores" : 2"#, with: #""cores" : -9223372036854775808"#)
    let line = text.prefix(upTo: try #require(text.firstRange(of: "\"cores\"")).lowerBound).count { $0 == "\n" } + 1
    let error = #expect(throws: FileError.self) { try Manifest(json: Data(text.utf8), path: "manifest.json") }
    #expect(
      error?.description
        == "manifest.json:\(line): host.cores: -9223372036854775808 is out of range; use 0 to 1000000000000000")
  }
}
