import Foundation
import TestSupport
import Testing
import TrialSupport

/// Tests that commands refuse damaged results, and name the file, the line and the figure.
@Suite(.serialized) struct DamagedResultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func change(_ file: String, _ change: (String) -> String) throws {
    let url = URL(fileURLWithPath: "\(folder.path)/\(file)")
    let before = try String(contentsOf: url, encoding: .utf8)
    let after = change(before)
    #expect(before != after)
    try Data(after.utf8).write(to: url)
  }

  private func refusal(_ arguments: [String]) async throws -> String {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.count == 1 && outcome.output.isEmpty, "\(outcome)")
    return outcome.errors.first?.replacing(folder.path + "/", with: "") ?? ""
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807"])
  func `compare, report and show refuse a table whose figure is out of range`(figure: String) async throws {
    for name in ["a", "b"] { try ComparedResults.write(to: "\(folder.path)/\(name)") }
    try change("b/trials.csv") { text in
      var lines = text.components(separatedBy: "\r\n")
      lines[3] = lines[3].replacing(",1000000000,", with: ",\(figure),", maxReplacements: 1)
      return lines.joined(separator: "\r\n")
    }
    let (a, b) = ("\(folder.path)/a", "\(folder.path)/b")
    let message =
      "error: b/trials.csv:4: window_ns: \(figure) is out of range; use 0 to 1000000000000000; "
      + "use a folder that 'stackbench run' wrote"
    for arguments in [["compare", a, b], ["compare", b, a], ["report", b], ["show", b]] {
      #expect(try await refusal(arguments) == message)
    }
  }

  @Test func `compare prints the largest differences that a table allows`() async throws {
    for (name, value) in [("a", Int64(1)), ("b", 1_000_000_000_000_000)] {
      try ComparedResults.write(to: "\(folder.path)/\(name)") { measures, _, _ in
        measures.importNanoseconds = value
        measures.mainBusyNanoseconds = value
      }
    }
    for format in ["text", "json", "markdown"] {
      let outcome = try await Program.run(
        ["compare", "\(folder.path)/a", "\(folder.path)/b", "--format", format])
      #expect(outcome.status == 2 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test func `show ignores flags in a manifest with impossible numbers`() async throws {
    try ComparedResults.write(
      to: "\(folder.path)/a",
      flags: ["topology": "a b", "trials": "9223372036854775807", "draws": "9223372036854775807"])
    let outcome = try await Program.run(["show", "\(folder.path)/a"])
    #expect(outcome.status == 0 && !outcome.output.contains("trials have a result"), "\(outcome.errors)")
  }

  @Test func `collect and show refuse a plan and results with wrong numbers`() async throws {
    let sweep = "\(folder.path)/sweep"
    let ran = try await Program.run([
      "sweep", "--vary", "save-every=20,40", "--machine", "simulated", "--rows", "40", "--existing-rows", "20",
      "--topology", "all-main", "--quiet", "--output", sweep,
    ])
    #expect(ran.status == 0, "\(ran.errors)")
    let results = ["trial-000001.json", "trial-000002.json"]
    let files = ["plan.jsonl"] + results
    let originals = try files.map { try String(contentsOfFile: "\(sweep)/\($0)", encoding: .utf8) }
    func restore() throws {
      for (name, text) in zip(files, originals) { _ = try folder.write(text, to: "sweep/\(name)") }
    }

    for (count, message) in [
      ("0", "count: 0 is out of range; use 1 to 100000"), ("100001", "count: 100001 is out of range; use 1 to 100000"),
      ("1000000000", ":1: trial.count: 1000000000 is out of range; use 0 to 1000000"),
    ] {
      try restore()
      for name in results { try change("sweep/\(name)") { $0.replacing(#""count":2"#, with: "\"count\":\(count)") } }
      try FileManager.default.removeItem(atPath: "\(sweep)/plan.jsonl")
      for command in ["collect", "show", "report"] {
        let line = try await refusal([command, sweep])
        #expect(line.hasPrefix("error: sweep/trial-000001.json:") && line.contains(message), "\(line)")
      }
    }
    try restore()
    for name in files {
      try change("sweep/\(name)") { $0.replacing(/"varied":\[[^\]]*\]/, with: "\"varied\":[]") }
    }
    #expect(
      try await refusal(["collect", sweep])
        == "error: sweep/plan.jsonl:1: varied: is not a list of different flags; use at least one flag and its value; "
        + "write the plan again with stackbench sweep")
    try restore()
    try change("sweep/trial-000002.json") { $0.replacing(#""index":2"#, with: #""index":1"#) }
    #expect(try await refusal(["show", sweep]) == "error: sweep: holds two results of trial 1; remove one of them")
    try restore()
    try change("sweep/trial-000002.json") {
      $0.replacing(/"importNanoseconds":[0-9]+/, with: #""importNanoseconds":-1"#)
    }
    #expect(
      try await refusal(["show", sweep]).hasPrefix(
        "error: sweep/trial-000002.json:1: record.measures.importNanoseconds: -1 is out of range; "))
  }
}
