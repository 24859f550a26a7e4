import Foundation
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of `advise` on small workloads, through the program.
@Suite(.serialized) struct AdviseCommandTests {
  private static let small = ["--rows", "120", "--existing-rows", "60", "--batch-size", "40"]
  private static let two = ["--topology", "worker-merge", "--topology", "per-view-controller"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func advise(_ arguments: [String], scratch: Bool = true) async throws -> Program.Outcome {
    try await Program.run(["advise"] + arguments + (scratch ? ["--scratch", folder.path] : []))
  }

  private func document(_ arguments: [String]) async throws -> (status: Int, members: [String: Any]) {
    let outcome = try await advise(arguments + ["--format", "json"])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let members = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (outcome.status, try #require(members))
  }

  // MARK: Answers

  @Test func `advise prints a qualifying stack with its wiring and commands`() async throws {
    let arguments = Self.small + ["--draws", "2", "--max-hitch", "1000", "--priority", "smoothness", "--verbose"]
    let outcome = try await advise(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    for part in [
      "catalog, 120 rows (84 inserted, 30 updated, 6 deleted), seed 1, simulated\niphone-15-pro; 77 trials, all verified\n",
      "\nworker-merge/automatic ", "All 7 stacks qualify. They are ranked by smoothness.",
      "of 2 drawn devices", "Which context to use\n", "  UI ", "  background work ", "  undo ",
      "  long-lived objects ",
      "To print its figures:  stackbench run --machine simulated --topology all --topology worker-merge/automatic --draws 2 "
        + "--rows 120 --existing-rows 60 --batch-size 40\n",
      "--format swift --batch-size 40\n",
    ] {
      #expect(outcome.output.contains(part), "\(part)")
    }
    // The folder that contained the stores is empty.
    #expect(folder.contents(of: ".") == [])
  }

  @Test func `advise ranks by smoothness if nothing is asked for`() async throws {
    let arguments = Self.small + Self.two + ["--draws", "0"]
    let alone = try await document(arguments).members
    let asked = try await document(arguments + ["--priority", "smoothness"]).members
    #expect(alone["priority"] is NSNull && asked["priority"] as? String == "smoothness")
    for key in ["ranked_by", "equal"] { #expect(alone[key] as? [String] == asked[key] as? [String], "\(key)") }
    #expect(alone["advised"] as? String == asked["advised"] as? String)
    #expect((alone["command"] as? String)?.contains(" --draws 0 ") == true)
  }

  @Test(arguments: [#"[{"name": "a", "size": 1}, {"name": "b", "size": 2}]"#, #"[{"id": 1, "parts": [{"id": 2}]}]"#])
  func `the printed command for the code of a stack works for every feed`(feed: String) async throws {
    let path = try folder.write(feed, to: "feed.json")
    let answer = try await document(["--workload", path, "--draws", "0", "--priority", "memory"] + Self.two)
    let command = try #require(answer.members["code_command"] as? String)
    let outcome = try await Program.run(command.split(separator: " ").dropFirst().map(String.init))
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    #expect(outcome.output.contains("import CoreData"))
  }

  @Test func `a feed is answered for an empty and for a full store`() async throws {
    let path = try folder.write(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, to: "feed.json")
    let feed = ["--workload", path, "--draws", "2"] + Self.two
    let outcome = try await advise(feed)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\n  Full store "))
    #expect(!outcome.output.contains("Which context to use"))
    let (_, members) = try await document(feed + ["--existing-rows", "full", "--reference", "three-tier"])
    let points = try #require(members["points"] as? [[String: Any]])
    #expect(points.first?["value"] as? String == "0")
    #expect(members["reference"] as? String == "three-tier")
    #expect((members["stacks"] as? [Any])?.count == 3)
  }

  @Test func `advise ends with status 1 and every miss if no stack qualifies`() async throws {
    let outcome = try await advise(Self.small + Self.two + ["--draws", "0", "--max-import", "0"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("None of the 2 stacks qualifies."))
    #expect(outcome.output.contains("The nearest is "))
    #expect(outcome.output.components(separatedBy: " misses import by ").count == 3)
    #expect(!outcome.output.contains("Which context to use"))
  }

  @Test func `equal stacks are listed in the JSON`() async throws {
    let (status, members) = try await document(Self.small + Self.two + ["--draws", "1", "--priority", "durability"])
    #expect(status == 0)
    #expect(members["advised"] as? String == "worker-merge/notification")
    #expect(members["equal"] as? [String] == ["per-view-controller"])
  }

  @Test func `a limit on a measure without a value is missed`() async throws {
    let outcome = try await advise(
      Self.small + Self.two + ["--user-edit-interval", "0", "--max-edit-response", "100", "--draws", "0"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("worker-merge/notification misses edit, which was not measured."))
  }

  // MARK: Evidence

  @Test func `the printed command reproduces the values of the advice`() async throws {
    let (_, members) = try await document(Self.small + Self.two + ["--draws", "1", "--max-stall", "1000"])
    let points = try #require(members["points"] as? [[String: Any]])
    #expect(
      points.map { $0["flag"] as? String } == [
        "mix", "view-controllers", "visible-rows", "fetch-batch-size", "batch-size", "batch-size", "save-every",
        "profile",
      ])
    let command = try #require(members["command"] as? String).split(separator: " ").map(String.init)
    #expect(command.first == "stackbench")
    let results = "\(folder.path)/results"
    let run = try await Program.run(command.dropFirst() + ["--output", results, "--format", "json"])
    #expect(run.status == 0, "\(run.errors)")
    let shown = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let rows = try #require(shown?["stacks"] as? [[String: Any]])
    let stacks = try #require(members["stacks"] as? [[String: Any]])
    #expect(stacks.count == 2)
    for (stack, row) in zip(stacks, rows) {
      let checks = try #require(stack["checks"] as? [[String: Any]])
      #expect(checks.first?["measure"] as? String == "stall_ns_max")
      #expect(checks.first?["value"] as? Int == row["stall_ns_max"] as? Int)
      #expect((stack["topology"] as? String)?.hasPrefix(row["topology"] as? String ?? "-") == true)
    }
  }

  @Test func `equal flags print equal bytes`() async throws {
    let arguments = Self.small + Self.two + ["--max-import", "60", "--draws", "1", "--format", "markdown"]
    let markdown = try await advise(arguments)
    #expect(markdown.output.hasPrefix("### Stackbench advice: take `worker-merge/notification`\n"))
    #expect(try await advise(arguments).output == markdown.output)
  }

  @Test func `quiet advice prints nothing and keeps its status`() async throws {
    for (most, status) in [("60", 0), ("0", 1)] {
      let quiet = try await advise(
        ["--topology", "all-main", "--rows", "60", "--existing-rows", "30", "--draws", "0", "--quiet"]
          + ["--max-import", most])
      #expect(quiet.status == status)
      #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    }
  }

  // MARK: Bad usage

  @Test(
    arguments: [
      (["--priority", "speed"], "--priority speed: not known; use one of smoothness, freshness, durability, "),
      (["--max-hitch", "-1"], "--max-hitch -1: not a number of milliseconds; use 0 to 1000"),
      (
        ["--max-heap", "60MB"], "--max-heap 60MB: a simulated heap counts objects, rows and changes only, a small part"
      ),
      (["--max-import", "1h"], "--max-import 1h: not a number of seconds; use 0 to 3600"),
      (["--priority", "memory", "--machine", "live"], "--machine: not allowed for the simulations of this command"),
      (["--reference", "thre-tier"], "thre-tier: not a stack; did you mean three-tier?"),
      (["--priority", "memory", "--rows", "0"], "--rows 0: out of range"),
      (["--priority", "memory", "--profile", "nokia"], "nokia: not known; use one of iphone-15-pro, "),
      (["--priority", "memory", "--max-hich", "5"], "--max-hich: unknown flag; did you mean --max-hitch? see"),
      (["--priority", "memory", "smoothness"], "unexpected argument 'smoothness'"),
      (["--priority", "memory", "--save-every", "900"], "--save-every 900: over the batch size of 500"),
      (["--priority", "memory", "--store-save", "at-end"], "--store-save at-end: all-main has no root"),
    ])
  func `wrong usage prints one line and ends with status 64`(arguments: [String], message: String) async throws {
    let outcome = try await advise(arguments, scratch: false)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("error: \(message)") == true, "\(outcome.errors)")
  }

  // MARK: Documentation

  @Test func `every example on the page about advice runs`() async throws {
    let lines = try Repository.text("docs/advice.md").split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("stackbench advise") }
    #expect(lines.count == 3)
    for line in lines {
      let arguments = line.split(separator: " ").dropFirst(2).map(String.init)
      let outcome = try await advise(arguments + Self.small + Self.two + ["--draws", "1"])
      #expect([0, 1].contains(outcome.status), "\(line): \(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(line)")
      #expect(
        outcome.output.contains(outcome.status == 0 ? "\n  Take " : "\nNone of the 2 stacks qualifies."), "\(line)")
    }
  }
}
