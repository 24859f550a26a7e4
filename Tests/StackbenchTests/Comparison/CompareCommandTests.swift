import Foundation
import Metrics
import TestSupport
import Testing
import TrialSupport

/// Tests of `compare` with two folders.
@Suite(.serialized) struct CompareCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func compare(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(["compare"] + arguments)
  }

  @Test(arguments: [(116, 2, "worse"), (84, 0, "better"), (100, 0, "equal"), (114, 0, "equal")])
  func `the status is 2 only if a measure is worse`(percent: Int64, status: Int, verdict: String) async throws {
    try ComparedResults.write(to: path("a"))
    try ComparedResults.write(to: path("b")) { measures, topology, number in
      if topology == "three-tier" { measures.importNanoseconds = percent * 10_000_000 + Int64(number) }
    }
    let outcome = try await compare(path("a"), path("b"))
    #expect(outcome.status == status)
    #expect(
      outcome.output.hasPrefix(
        "Verdict: \(verdict).\nBefore:  \(path("a")) (stackbench 0.1.0)\nAfter:   \(path("b")) (stackbench 0.1.0)\n"))
    #expect(outcome.errors.isEmpty)
    let quiet = try await compare(path("a"), path("b"), "--quiet")
    #expect(quiet.status == status)
    #expect(quiet.output.isEmpty)
  }

  @Test func `the JSON has a verdict for eight measures and all other columns`() async throws {
    try ComparedResults.write(to: path("a"))
    try ComparedResults.write(to: path("b")) { measures, topology, _ in
      if topology == "all-main" { measures.heapPeakBytes = 2_000_000_000 }
    }
    let outcome = try await compare(path("a"), path("b"), "--format", "json")
    #expect(outcome.status == 2)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let measures = try #require(document["measures"] as? [[String: Any]])
    #expect(measures.count == 16)
    #expect((document["others"] as? [Any])?.count == 2 * (Measure.all.count - 8))
    let worse = measures.filter { $0["verdict"] as? String == "worse" }
    #expect(worse.map { $0["topology"] as? String } == ["all-main"])
    #expect(worse.first?["measure"] as? String == "heap_peak_bytes")
    #expect(worse.first?["shift_ppm"] as? Int == 1_000_000)
  }

  @Test func `Markdown begins with the verdict`() async throws {
    try ComparedResults.write(to: path("a"))
    let outcome = try await compare(path("a"), path("a"), "--format", "markdown")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("### Stackbench comparison: equal\n"))
  }

  @Test func `one simulated trial per side is compared exactly`() async throws {
    try ComparedResults.write(to: path("a"), machine: "simulated", trials: 1)
    try ComparedResults.write(to: path("b"), machine: "simulated", trials: 1) { measures, _, _ in
      measures.mainBusyNanoseconds = 1_040_000_000
    }
    let outcome = try await compare(path("a"), path("b"))
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("simulated machine; exact\n"))
    #expect(try await compare(path("b"), path("a")).status == 0)
  }

  @Test func `too few trials print the number that suffices`() async throws {
    try ComparedResults.write(to: path("a"), trials: 3)
    try ComparedResults.write(to: path("b"), trials: 3) { measures, _, _ in measures.importNanoseconds = 5_000_000_000 }
    let outcome = try await compare(path("a"), path("b"))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("6 trials of each stack in both"))
    try ComparedResults.write(to: path("a"), trials: 6)
    try ComparedResults.write(to: path("b"), trials: 6) { measures, _, _ in measures.importNanoseconds = 5_000_000_000 }
    #expect(try await compare(path("a"), path("b")).status == 2)
  }

  @Test func `results with different flags are refused with the flag`() async throws {
    try ComparedResults.write(to: path("a"), rows: 1_000)
    try ComparedResults.write(to: path("b"), rows: 2_000)
    let outcome = try await compare(path("a"), path("b"))
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == [
        "error: \(path("a")) and \(path("b")) cannot be compared: --rows: 1000, then 2000; use runs for which this "
          + "is the same"
      ])
  }

  @Test func `a result with unverified data is refused`() async throws {
    try ComparedResults.write(to: path("a"), trials: 2)
    try ComparedResults.write(to: path("b"), trials: 2) { measures, topology, number in
      if topology == "three-tier", number == 2 { measures.verified = 0 }
    }
    let outcome = try await compare(path("a"), path("b"))
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == ["error: \(path("b")): three-tier, trial 2: its data did not verify"])
  }
}

// MARK: - Bad input

extension CompareCommandTests {
  /// Returns the error of a comparison with a folder or file that is not a result. It must be a single line.
  private func complaint(_ arguments: [String]) async throws -> String {
    let outcome = try await Program.run(["compare"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.count == 1)
    return outcome.errors.first ?? ""
  }

  @Test func `a path without results prints one line`() async throws {
    try ComparedResults.write(to: path("a"))
    try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: false)
    _ = try folder.write("", to: "file")
    let use = "use a folder that 'stackbench run' wrote"
    #expect(
      try await complaint([path("a"), path("none")])
        == "error: \(path("none")): not a folder; use one that 'stackbench run' wrote, or --live for revisions")
    #expect(try await complaint([path("file"), path("a")]).hasPrefix("error: \(path("file")): not a folder;"))
    #expect(try await complaint([path("a"), path("empty")]) == "error: \(path("empty")): holds no results; \(use)")
    try FileManager.default.removeItem(atPath: path("a/manifest.json"))
    #expect(
      try await complaint([path("a"), path("a")])
        == "error: \(path("a"))/manifest.json: cannot be read: No such file or directory; \(use)")
  }

  @Test(arguments: [
    ("1000000000", "much", "trials.csv:2: "), ("all-main", "", "trials.csv:2: topology is empty"),
    ("import_ns", "importance", "trials.csv:1: the column import_ns is missing"),
    (",1\r\n", ",1,1\r\n", "trials.csv:2: "),
  ])
  func `a damaged table is refused with file and line`(find: String, replacement: String, line: String) async throws {
    try ComparedResults.write(to: path("a"))
    try ComparedResults.write(to: path("b"))
    let text = try String(contentsOfFile: path("b/trials.csv"), encoding: .utf8)
    _ = try folder.write(text.replacingOccurrences(of: find, with: replacement), to: "b/trials.csv")
    #expect(try await complaint([path("a"), path("b")]).hasPrefix("error: \(path("b"))/\(line)"))
  }

  @Test func `a damaged manifest and a table without trials are refused`() async throws {
    try ComparedResults.write(to: path("a"))
    try ComparedResults.write(to: path("b"))
    _ = try folder.write("{", to: "b/manifest.json")
    #expect(try await complaint([path("a"), path("b")]).contains("/b/manifest.json: not a manifest of this tool;"))
    try ComparedResults.write(to: path("b"))
    let header = try String(contentsOfFile: path("b/trials.csv"), encoding: .utf8).split(separator: "\r\n")[0]
    _ = try folder.write("\(header)\r\n", to: "b/trials.csv")
    #expect(
      try await complaint([path("a"), path("b")])
        == "error: \(path("b"))/trials.csv: holds no trial; run it again")
  }

  @Test(
    arguments: [
      (["a", "b", "c"], "3 given to compare; use one or two folders of results"),
      (["--live"], "nothing given to compare; use two revisions or programs"),
      (["--live", "HEAD"], "1 given to compare; use two revisions or programs"),
      (["a", "b", "--rows", "5"], "--rows: concerns trials that are run; leave it out, or add --live"),
      (["a", "b", "--pairs", "5"], "--pairs 5: concerns trials that are run; leave it out, or add --live"),
      (["a", "b", "--trials", "5"], "--trials 5: concerns trials that are run; leave it out, or add --live"),
      (["--live", "a", "b", "--trials", "0"], "--trials 0: out of range; use 1 to 100"),
      (
        ["--live", "--machine=simulated", "a", "b"],
        "--machine: a live comparison is live; simulate with each version's 'stackbench run' and compare the two folders"
      ),
      (["--live", "a", "b", "--rows", "none"], "--rows none: not a whole number; use 1 to 10000000"),
      (["--live", "a", "b", "--pairs", "0"], "--pairs 0: out of range; use 1 to 1000"),
      (
        ["--live", "a", "b", "--pairs", "500", "--trials", "2"],
        "--pairs 500 --trials 2: 1000 trials of each stack; use 999 at most"
      ),
      (
        ["--live", "a", "b", "--take-turns"],
        "--take-turns: does not concern the trials of a comparison; use it with stackbench run"
      ),
      (["a", "b", "--format", "xml"], "--format xml: not known; use one of text, markdown, json"),
    ] as [([String], String)])
  func `bad usage is refused before a trial runs`(arguments: [String], line: String) async throws {
    #expect(try await complaint(arguments) == "error: \(line)")
  }
}
