import Foundation
import Glibc
import Reporting
import TestSupport
import Testing

/// Tests of the whole program on small workloads, and of the files that it leaves in each case.
@Suite(.serialized) struct RunTests {
  private static let files = ["frames.csv", "manifest.json", "stalls.csv", "summary.csv", "trials.csv"]
  /// The arguments of trials that last a minute and spend most of it waiting for payloads.
  private static let long = [
    "--rows", "60", "--existing-rows", "0", "--batch-size", "1", "--arrival-interval", "1000", "--idle-seconds", "0",
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a run leaves exactly its five files`() async throws {
    let outcome = try await run(
      "--rows", "200", "--existing-rows", "100", "--trials", "2", "--idle-seconds", "1", "--topology", "all-main",
      "--topology", "worker-merge/reset")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(folder.contents(of: "results") == RunTests.files)
    #expect(try rows() == ["all-main,", "worker-merge,reset", "all-main,", "worker-merge,reset"])
    #expect(outcome.output.contains("all-main") && outcome.output.contains("worker-merge/reset"))
    #expect(outcome.output.contains("dle ticks started "))
    #expect(outcome.output.contains("Yardstick over 4 trials: "))
  }

  @Test func `a run without idle ticks prints no line about idle ticks`() async throws {
    let outcome = try await run(
      "--rows", "50", "--existing-rows", "0", "--trials", "1", "--idle-seconds", "0", "--topology", "all-main")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("all-main") && !outcome.output.contains("dle ticks"))
    let manifest = try String(contentsOfFile: "\(folder.path)/results/manifest.json", encoding: .utf8)
    #expect(manifest.contains("\"idle_ticks\" : null"))
  }

  @Test func `a small feed is imported in one batch`() async throws {
    let records = (1...60).map { #"{"id":\#($0),"name":"record \#($0)","tags":["a","b"]}"# }
    let feed = try folder.write(records.joined(separator: "\n"), to: "records.jsonl")
    let outcome = try await run("--workload", feed, "--trials", "1", "--idle-seconds", "0", "--topology", "all-main")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let flags = try flags()
    #expect(flags["rows"] == "60" && flags["batch-size"] == "60" && flags["save-every"] == "60")
    #expect(flags["existing-rows"] == "0" && flags["mix"] == "100:0:0" && flags["workload"] == feed)
  }

  @Test func `a live run records the chosen number and runs as many trials`() async throws {
    let outcome = try await run(
      "--rows", "40", "--existing-rows", "20", "--topology", "all-main", "--warmup", "0", "--idle-seconds", "0",
      "--repeat-limit", "0")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let results = ResultsFolder(path: "\(folder.path)/results")
    let manifest = try results.manifest()
    let choice = try #require(manifest.trialChoice)
    #expect((3...5).contains(choice.trials))
    #expect(manifest.flags["trials"] == "\(choice.trials)")
    #expect(try results.trials().count == choice.trials)
    #expect(outcome.output.replacing("\n", with: " ").contains("Each stack was run \(choice.trials) times"))
  }

  @Test(arguments: [
    (2, "", 0),
    (1, "error: standard input ended before three-tier, trial 1; --take-turns needs a line for each trial", 1),
  ])
  func `a run with turns prints each trial and waits for a line`(
    lines: Int, error: String, status: Int
  ) async throws {
    let outcome = try await takeTurns(
      lines: lines,
      ["--topology", "all-main", "--topology", "three-tier", "--trials", "1", "--rows", "50", "--existing-rows", "0"])
    #expect(outcome.status == status)
    #expect(outcome.output == "all-main, trial 1\nthree-tier, trial 1\n")
    #expect(outcome.errors.joined() == error)
    #expect(folder.contents(of: "results") == (status == 0 ? RunTests.files : nil))
  }

  @Test func `the first failed trial ends a run with turns`() async throws {
    let outcome = try await takeTurns(
      lines: 3,
      RunTests.long + ["--topology", "all-main", "--trials", "3", "--time-limit", "1"])
    #expect(outcome.status == 1)
    #expect(outcome.output == "all-main, trial 1\n")
    #expect(
      outcome.errors == [
        "error: no trial succeeded, so no result was written: all-main, trial 1: was killed after 1 s; use --time-limit "
          + "if it only needs longer"
      ])
  }

  /// Runs the program with a number of empty lines as its standard input.
  private func takeTurns(lines: Int, _ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(
      .path("/bin/sh"),
      [
        "-c", #"count=$1; shift; yes '' | head -n "$count" | "$@""#, "sh", "\(lines)", Program.path, "run",
        "--take-turns",
      ]
        + arguments + ["--idle-seconds", "0", "--quiet", "--output", "\(folder.path)/results"])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted run ends with status 130 and leaves no files`(signal: Int32) async throws {
    let outcome = try await run(RunTests.long + ["--topology", "all-main"]) { process in
      let child = try await Processes.child(of: process, running: "child-trial")
      kill(process, signal)
      try await Processes.waitForEnd(of: child)
    }
    #expect(outcome.status == 130)
    #expect(outcome.errors == ["error: interrupted; no result was written"])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `an interrupted run keeps the results of an earlier run`() async throws {
    let first = try await run(
      "--rows", "50", "--existing-rows", "0", "--trials", "1", "--idle-seconds", "0", "--topology", "all-main")
    #expect(first.status == 0, "\(first.errors)")
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/manifest.json"))
    let outcome = try await run(RunTests.long) { process in
      _ = try await Processes.child(of: process, running: "child-trial")
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(folder.contents(of: "results") == RunTests.files)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/manifest.json")) == before)
  }

  @Test func `a killed child fails only its own trial`() async throws {
    let outcome = try await run(
      [
        "--rows", "60", "--existing-rows", "0", "--batch-size", "20", "--arrival-interval", "1000", "--trials", "1",
        "--idle-seconds", "0", "--topology", "three-tier", "--topology", "all-main",
      ]
    ) { process in
      kill(try await Processes.child(of: process, running: "child-trial"), SIGKILL)
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors == ["error: three-tier, trial 1: was ended by signal 9 (Killed)"])
    #expect(try rows() == ["all-main,"])
    #expect(folder.contents(of: "results") == RunTests.files)
  }

  @Test func `trials over the time limit are killed, and the run prints one line`()
    async throws
  {
    let outcome = try await run(
      RunTests.long + ["--trials", "2", "--time-limit", "1", "--topology", "all-main"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: no trial succeeded, so no result was written: all-main, trial 1: was killed after 1 s; use --time-limit "
          + "if it only needs longer (and 1 more)"
      ])
    #expect(folder.contents(of: "results") == nil)
  }

  @Test(arguments: [[], ["--replace"]])
  func `a run without a successful trial keeps the earlier result`(flags: [String]) async throws {
    let first = try await run(
      "--rows", "50", "--existing-rows", "0", "--trials", "1", "--idle-seconds", "0", "--topology", "all-main")
    #expect(first.status == 0, "\(first.errors)")
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/manifest.json"))
    let outcome = try await run(
      RunTests.long + ["--trials", "1", "--time-limit", "1", "--topology", "all-main"] + flags)
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
    #expect(folder.contents(of: ".") == ["results"])
    #expect(folder.contents(of: "results") == RunTests.files)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/manifest.json")) == before)
  }

  @Test func `children end when their parent is killed, and the next run cleans up`() async throws {
    let outcome = try await run(RunTests.long + ["--topology", "all-main"]) { process in
      let child = try await Processes.child(of: process, running: "child-trial")
      kill(process, SIGKILL)
      try await Processes.waitForEnd(of: child)
    }
    #expect(outcome.status == -9)
    #expect(folder.contents(of: "results")?.isEmpty == false)
    let next = try await run(
      "--rows", "50", "--existing-rows", "0", "--trials", "1", "--idle-seconds", "0", "--topology", "all-main")
    #expect(next.status == 0, "\(next.errors)")
    #expect(folder.contents(of: "results") == RunTests.files)
  }

  @Test func `the --scratch folder has the stores until the run ends`() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/scratch", withIntermediateDirectories: false)
    let path = folder.path
    let outcome = try await run(RunTests.long + ["--topology", "all-main", "--scratch", "\(path)/scratch"]) { process in
      _ = try await Processes.child(of: process, running: "child-trial")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/scratch").count == 1)
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(folder.contents(of: "scratch")?.isEmpty == true)
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await run(arguments)
  }

  private func run(
    _ arguments: [String], meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
  ) async throws -> Program.Outcome {
    try await Program.run(["run", "--output", "\(folder.path)/results"] + arguments, meanwhile: meanwhile)
  }

  /// Returns the flags in the manifest.
  private func flags() throws -> [String: String] {
    struct Manifest: Decodable {
      var flags: [String: String]
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/manifest.json"))
    return try JSONDecoder().decode(Manifest.self, from: data).flags
  }

  /// Returns the first two columns of each row of `trials.csv`.
  private func rows() throws -> [String] {
    let text = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/results/trials.csv"), encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).prefix(2).joined(separator: ",")
    }
  }
}
