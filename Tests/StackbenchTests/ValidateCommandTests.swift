import CommandShell
import Foundation
import Glibc
import MachineSimulated
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the flags of `validate`, and of small runs of it through the program.
@Suite(.serialized) struct ValidateCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: Flags

  @Test func `both machines run the same workloads with the same options`() throws {
    let validation = try ValidationPlan(ValidationFlags.parse([]).request())
    #expect(validation.workloads.map(\.name) == ["inserts", "upserts", "relationships", "scrolling"])
    for (live, simulated) in zip(validation.live, validation.simulated) {
      #expect(live.machine == .live && simulated.machine == .simulated)
      #expect(live.workload == simulated.workload)
      #expect(live.topologies == simulated.topologies && live.topologies == Topology.all)
      var options = live.options
      options.warmup = simulated.options.warmup
      // The time limit applies to processor time on one machine, and to wall time on the other.
      options.timeLimit = simulated.options.timeLimit
      #expect(options == simulated.options)
      #expect(live.trials == 5)
    }
    let edits = validation.live.map { $0.options.userEditInterval > .zero && $0.options.scrollSpeed > 0 }
    #expect(edits == [false, false, false, true])
  }

  @Test func `the live machine uses the store settings of the profile`() throws {
    let validation = try ValidationPlan(ValidationFlags.parse(["--profile", "ipad-mini-ios-6"]).request())
    #expect(validation.live.allSatisfy { $0.options.connectionPool == 1 && $0.options.journalMode == "delete" })
  }

  @Test(arguments: [
    (
      ["--published", "core-data"],
      "core-data: not known; use one of all, kugler-2013, iphone-5-fetches, iphone-6-child-of-main, "
        + "mac-2016-inserts, iphone-7-plus-inserts, anchor-iphone-6, iphone-11-pro-dflat, iphone-14-pro-inserts, "
        + "or a file ending in .yaml"
    ),
    (["--published", "none.yaml"], "none.yaml: cannot be read; use the path of a published table in YAML"),
    (
      ["--published", "kugler-2013", "--rows", "100"],
      "--rows: a published table says how many objects; leave it out beside --published kugler-2013"
    ),
    (["--rows", "3"], "--rows 3: out of range; use 50 to 1000000"),
    (["--format", "csv"], "--format csv: not known; use one of text, json"),
    (["--fit"], "--fit: concerns published tables only; add --published all"),
    (
      ["--published", "kugler-2013", "--trials", "2"],
      "--trials: concerns live runs; leave it out beside --published kugler-2013"
    ),
  ])
  func `invalid flags of validate are refused with a hint`(_ arguments: [String], _ expected: String) {
    let error = #expect(throws: (any Error).self) {
      guard let command = try Stackbench.parseAsRoot(["validate"] + arguments) as? ValidateCommand else { return }
      if let name = command.flags.published {
        _ = try PublishedValidation(name, request: command.flags.request())
      } else {
        _ = try ValidationPlan(command.flags.request())
      }
    }
    let failure = error as? RunFailure ?? error.map { CommandLineRun.failure(parsing: $0, Stackbench.self) }
    #expect(failure?.message == expected)
  }

  // MARK: Runs

  @Test func `a small validation compares every cell and writes its tables`() async throws {
    let outcome = try await Program.run([
      "validate", "--rows", "60", "--trials", "1", "--output", "\(folder.path)/out", "--format", "json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(folder.contents(of: "out")?.sorted() == ["causes.csv", "validation.csv"])
    let result = try JSONDecoder().decode(ValidationResult.self, from: Data(outcome.output.utf8))
    #expect(result.cells.count == 24)
    for cell in result.cells {
      #expect(
        cell.figures.map(\.measure) == ["import_ns", "main_busy_ns", "main_cpu_ns", "main_wait_ns", "stall_ns_p99"])
      #expect(cell.figures.allSatisfy { $0.runCount == 1 && $0.liveMedianNanoseconds >= 0 })
      #expect(try #require(cell.figure(.importTime)).predictedNanoseconds > 0)
    }
    #expect(result.explanations.count == 5)
    #expect(result.explanations.allSatisfy { !$0.work.isEmpty })
    // There are fifteen causes for each cell, and for each stack over all workloads.
    #expect(result.causes.count == 15 * (24 + 6))
  }

  @Test func `an interrupted validation keeps the rounds that have ended`() async throws {
    let output = "\(folder.path)/out"
    let outcome = try await Program.run([
      "validate", "--rows", "50", "--trials", "100", "--repeat-limit", "0", "--quiet", "--output", output,
    ]) { process in
      while !FileManager.default.fileExists(atPath: "\(output)/causes.csv") { await Task.yield() }
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    let line = try #require(outcome.errors.first)
    #expect(line.contains(/^error: interrupted; [0-9]+ of 100 rounds of live runs are kept in .*\/out$/), "\(line)")
    #expect(folder.contents(of: "out")?.sorted() == ["causes.csv", "validation.csv"])
  }

  @Test func `the heading of a table names the device of each row`() async throws {
    let second = """

        - title: other
          topology: all-main
          profile: iphone-4
          steps: [{insert: {entity: Item, count: 5, save: once}}]
          figures: [{clock: wall, milliseconds: 1, role: predicted, source: "made up"}]
      """
    let text = PublishedTableText.text(steps: ["insert: {entity: Item, count: 5, save: once}"]) + second
    let outcome = try await Program.run([
      "validate", "--published", try folder.write(text, to: "two.yaml"), "--scratch", folder.path,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("made-up, published and on profile iphone-6-ios-11, iphone-4: made up"))
  }

  /// Writes a shipped table with fewer objects to a file and returns its path.
  private func small(_ name: String, _ replacements: [(String, String)]) throws -> String {
    let text = try #require(PublishedLibrary.shippedText(of: name))
    return try folder.write(replacements.reduce(text) { $0.replacing($1.0, with: $1.1) }, to: "\(name).yaml")
  }

  private func document(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func number(_ row: [String: Any], _ name: String) throws -> Int { try #require(row[name] as? Int) }

  @Test func `published rows are printed as JSON, and a failed order ends with status 1`() async throws {
    let file = try small("kugler-2013", [("objects: 15000", "objects: 100")])
    let arguments = ["validate", "--published", file, "--scratch", folder.path]
    let json = try await Program.run(arguments + ["--format", "json"])
    let comparison = try document(json.output)
    let rows = try #require(comparison["rows"] as? [[String: Any]])
    #expect(rows.map { $0["role"] as? String } == Array(repeating: "fitted", count: 5))
    #expect(rows.map { $0["batching"] as? String } == ["entity", "entity", "entity", "500", "500"])
    #expect(
      rows.map { $0["topology"] as? String } == [
        "child-of-main", "three-tier", "worker-merge/notification", "three-tier", "worker-merge/notification",
      ])
    #expect(rows.map { $0["published_total_ms"] as? Int } == [83_000, 105_000, 67_000, 87_000, 57_000])
    #expect(rows.map { $0["published_main_cpu_ms"] as? Int } == [43_000, 29_000, 270, 31_000, 230])
    for row in rows { #expect(try number(row, "total_ns") > 0 && number(row, "main_cpu_ns") > 0) }
    #expect((comparison["orders"] as? [Any])?.count == 9)
    // The article imports 15,000 objects. Its orders do not hold for a hundred.
    #expect(json.status == 1)
    let text = try await Program.run(arguments)
    #expect(text.status == 1)
    #expect(text.output.contains("; these do not: "))
    #expect(json.errors.isEmpty && text.errors.isEmpty)
    #expect(folder.contents(of: "") == ["kugler-2013.yaml"])
  }

  @Test func `the anchor's phases are printed as JSON, and its files are written`() async throws {
    let file = try small("anchor-iphone-6", [("10000", "50")])
    let outcome = try await Program.run([
      "validate", "--published", file, "--format", "json", "--output", "\(folder.path)/out",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let comparison = try document(outcome.output)
    let rows = try #require(comparison["rows"] as? [[String: Any]])
    #expect(rows.map { $0["phase"] as? String } == ["inserts", "fetches"])
    #expect(rows.map { $0["published_cpu_ms"] as? Int } == [18_000, 17_400])
    #expect(rows.map { $0["published_main_cpu_ms"] as? Int } == [15_300, nil])
    for row in rows {
      let mainCPU = try number(row, "main_cpu_ns")
      #expect(try number(row, "cpu_ns") >= mainCPU && mainCPU > 0)
    }
    #expect((comparison["figures"] as? [Any])?.count == 12 && (comparison["orders"] as? [Any])?.count == 4)
    #expect(outcome.output.contains("\"published_main_cpu_ms\" : null"))
    #expect(folder.contents(of: "out") == ["published.csv", "published.md"])
  }

  @Test func `a custom table runs, and a damaged one ends with status 64`() async throws {
    let text = PublishedTableText.text(steps: ["insert: {entity: Item, count: 20, save: once}"])
    let good = try folder.write(text, to: "good.yaml")
    let outcome = try await Program.run(["validate", "--published", good])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("made-up, published and on profile iphone-6-ios-11: made up\n"))
    let bad = try folder.write(text.replacing("insert:", with: "inserts:"), to: "bad.yaml")
    let refused = try await Program.run(["validate", "--published", bad])
    #expect(refused.status == 64)
    #expect(refused.errors.count == 1 && refused.errors[0].contains("bad.yaml:23: rows[0].steps[0].inserts: not known"))
  }

  @Test func `a row with unverified data ends with status 1`() async throws {
    let file = try folder.write(
      PublishedTableText.text(steps: ["insert: {entity: Item, count: 20}"]), to: "unsaved.yaml")
    let outcome = try await Program.run(["validate", "--published", file])
    #expect(outcome.status == 1)
    #expect(outcome.errors.first?.contains("the row ends with unsaved changes in context main") == true)
  }
}
