import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of sweeps through the real program, and of the files that they leave in each case.
@Suite(.serialized) struct SweepTests {
  private static let grid = [
    "--vary", "batch-size=20,40", "--vary", "topology=all-main,three-tier", "--rows", "80", "--existing-rows", "40",
  ]
  private static let hasParallel = ["/usr/bin/parallel", "/usr/local/bin/parallel"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: TemporaryFolder

  /// A folder with the sweep of the grid, which runs once for all tests.
  private static let done = Task {
    let folder = try TemporaryFolder()
    let outcome = try await Program.run(["sweep", "--output", "sweep"] + grid, in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("4 of 4 trials: sweep/sweep.csv\n"))
    #expect(outcome.output.contains(" charts, one for each measure that differs: sweep/charts\n"))
    return folder
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Copies the sweep of the grid into the folder.
  private func copySweep() async throws {
    try FileManager.default.copyItem(
      atPath: "\(try await Self.done.value.path)/sweep", toPath: "\(folder.path)/sweep")
  }

  @Test func `a sweep writes one row per point in the grid's order`() async throws {
    try await copySweep()
    let lines = try table("sweep").split(separator: "\r\n")
    #expect(lines[0].hasPrefix("batch-size,topology,topology,variant,machine,profile,workload,rows,seed,trial,pid,"))
    #expect(lines[0].hasSuffix(",store_digest,verified"))
    #expect(
      lines.dropFirst().map { $0.split(separator: ",").prefix(2).joined(separator: " ") } == [
        "20 all-main", "20 three-tier", "40 all-main", "40 three-tier",
      ])
    #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(",1") })
    #expect(
      folder.contents(of: "sweep")?.filter { $0 != "charts" }
        == ["plan.jsonl", "sweep.csv"] + (1...4).map { "trial-00000\($0).json" })
  }

  @Test func `an interrupted sweep keeps finished trials, and the next one runs the rest`() async throws {
    let long = ["--vary", "batch-size=100,200", "--vary", "topology=all", "--rows", "400", "--existing-rows", "40"]
    let path = "\(folder.path)/sweep"
    let first = try await Program.run(["sweep", "--output", path] + long) { process in
      try await Processes.waitForFile("\(path)/trial-000001.json", of: process)
      kill(process, SIGINT)
    }
    #expect(first.status == 130)
    let kept = results()
    #expect((1..<12).contains(kept.count))
    #expect(
      first.errors == [
        "error: interrupted; \(kept.count) of 12 trials are kept in \(path); "
          + "the same command runs the rest"
      ])
    #expect(folder.contents(of: "sweep") == ["plan.jsonl"] + kept)
    let before = try kept.map { try inode("\(path)/\($0)") }
    let second = try await Program.run(["sweep", "--output", path] + long)
    #expect(second.status == 0, "\(second.errors)")
    #expect(results().count == 12)
    // A trial that runs again would receive a new file.
    #expect(try kept.map { try inode("\(path)/\($0)") } == before)
    let whole = try await Program.run(["sweep", "--output", "\(folder.path)/whole"] + long)
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try table("sweep") == table("whole"))
  }

  @Test func `the sweep of another plan is moved aside, or deleted with --restart`() async throws {
    try await copySweep()
    let before = try table("sweep")
    let other = try await sweep("--seed", "2")
    #expect(other.status == 0, "\(other.errors)")
    let moved = try #require(folder.contents(of: ".")?.first { $0.hasSuffix("-1") })
    #expect(other.output.contains("Earlier: the result that was there is now in \(folder.path)/\(moved)\n"))
    #expect(try table(moved) == before)
    #expect(try table("sweep") != before)
    #expect(try await sweep("--seed", "3", "--restart").status == 0)
    #expect(folder.contents(of: ".") == [moved, "sweep"])
  }

  @Test(arguments: ["feed", "profile"])
  func `results are discarded if the feed or the profile has changed`(changed: String)
    async throws
  {
    let feed = try folder.write(#"{"id":1,"name":"a"}"#, to: "records.jsonl")
    let phone = try Repository.text("Sources/InputFiles/Profiles/Shipped/iphone-15-pro.yaml")
      .replacing("name: iphone-15-pro", with: "name: mine")
    let profile = try folder.write(phone, to: "mine.yaml")
    let path = "\(folder.path)/sweep"
    let flags = ["--vary", "topology=all-main", "--workload", feed, "--profile", profile]
    func sweep() async throws -> Program.Outcome { try await Program.run(["sweep", "--output", path] + flags) }
    let plan = "\(folder.path)/plan.jsonl"
    #expect(try await Program.run(["sweep", "--plan", plan] + flags).status == 0)
    let first = try await sweep()
    #expect(first.status == 0, "\(first.errors)")
    #expect(try await sweep().status == 0)
    switch changed {
    case "feed": _ = try folder.write(#"{"id":1,"name":"b"}"#, to: "records.jsonl")
    default: _ = try folder.write(phone.replacing("favoursMain: true", with: "favoursMain: false"), to: "mine.yaml")
    }
    let again = try await sweep()
    #expect(again.status == 0, "\(again.errors)")
    #expect(folder.contents(of: ".")?.contains { $0.hasSuffix("-1") } == true)
    let trial = try await Program.run(["trial", "--plan", plan, "--index", "1"])
    #expect(trial.status == 64)
    #expect(
      trial.errors == [
        "error: all-main, trial 1: the \(changed) is not the one of the plan; write the plan again"
      ])
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed"))
  func `trials run by GNU parallel collect to the same table`() async throws {
    try await copySweep()
    let plan = try await makePlan()
    let program = Program.path.replacing("'", with: #"'\''"#)
    let ran = try await Program.run(
      .name("parallel"),
      ["--will-cite", "-j", "2", "'\(program)' trial --plan '\(plan)' --index {}", ":::"] + (1...4).map { "\($0)" })
    #expect(ran.status == 0, "\(ran.errors)")
    let collected = try await Program.run(["collect", plan])
    #expect(collected.status == 0, "\(collected.errors)")
    #expect(try table("plan") == table("sweep"))
    #expect(folder.contents(of: "plan")?.contains { $0.hasPrefix(".") } == false)
  }

  @Test func `collect reports missing rows, writes the others and removes what a killed command left`() async throws {
    let plan = try await makePlan()
    let none = try await Program.run(["collect", plan])
    #expect(none.status == 1)
    #expect(none.errors == ["error: 4 of 4 rows missing: no trial has run"])
    #expect(try await trial(plan, 3).status == 0)
    for (number, file) in [".stackbench-staged", ".stackbench-1-1.partial"].enumerated() {
      let left = "joined/.charts.staged-\(number)"
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(left)", withIntermediateDirectories: true)
      _ = try folder.write("", to: "\(left)/\(file)")
    }
    let collected = try await Program.run(["collect", plan, "--output", "\(folder.path)/joined", "--quiet"])
    #expect(collected.status == 1)
    #expect(folder.contents(of: "joined") == ["sweep.csv"])
    #expect(
      collected.errors == [
        "error: 3 of 4 rows missing: trials 1 (batch-size 20, all-main, trial 1); "
          + "2 (batch-size 20, three-tier, trial 1); 4 (batch-size 40, three-tier, trial 1)"
      ])
    #expect(try table("joined").split(separator: "\r\n").count == 2)
  }

  @Test func `settings that cannot be varied together are refused with the flag`() async throws {
    let twice = try await Program.run(["sweep", "--vary", "rows=300", "--vary", "rows=400"])
    #expect(twice.status == 64)
    #expect(twice.errors == ["error: --vary rows: given twice; use one list of values"])
    let values = (1...400).map(String.init).joined(separator: ",")
    let many = try await Program.run(["sweep", "--vary", "seed=\(values)", "--vary", "rows=\(values)"])
    #expect(many.status == 64)
    #expect(many.errors == ["error: --vary: over 100000 trials; use fewer values"])
  }

  @Test func `a damaged plan prints one line with its line number`() async throws {
    let plan = try await makePlan()
    var lines = try String(contentsOfFile: plan, encoding: .utf8).split(separator: "\n").map(String.init)
    lines[1].removeLast(20)
    lines.swapAt(2, 3)
    _ = try folder.write(lines.joined(separator: "\n") + "\n", to: "plan/plan.jsonl")
    let damaged = try await trial(plan, 2)
    #expect(damaged.status == 64)
    #expect(damaged.errors == ["error: \(plan):2: not a trial in JSON; write the plan again with stackbench sweep"])
    #expect(
      try await trial(plan, 3).errors == ["error: \(plan):3: holds trial 4; write the plan again with stackbench sweep"]
    )
    #expect(try await trial(plan, 9).errors == ["error: \(plan): has 4 trials, but no trial 9; use 1 to 4"])
    #expect(try await Program.run(["collect", plan]).status == 64)
    #expect(folder.contents(of: "plan") == ["plan.jsonl"])
  }

  private func sweep(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(["sweep", "--output", "\(folder.path)/sweep"] + SweepTests.grid + arguments)
  }

  private func trial(_ plan: String, _ index: Int) async throws -> Program.Outcome {
    try await Program.run(["trial", "--plan", plan, "--index", "\(index)"])
  }

  /// Writes the plan of the grid into a separate folder, and returns its path.
  private func makePlan() async throws -> String {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/plan", withIntermediateDirectories: true)
    let plan = "\(folder.path)/plan/plan.jsonl"
    let outcome = try await Program.run(["sweep", "--plan", plan] + SweepTests.grid)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.contents(of: "plan") == ["plan.jsonl"])
    return plan
  }

  private func table(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)/sweep.csv", encoding: .utf8)
  }

  private func results() -> [String] {
    (folder.contents(of: "sweep") ?? []).filter { $0.hasPrefix("trial-") }
  }

  private func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }
}
