import Foundation
import Subprocess
import TestSupport
import Testing
import TrialSupport

/// Tests that every command that prints fails if its output cannot be written.
@Suite(.serialized) struct LostOutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program in the test's folder with a full device as its standard output.
  private func run(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(
      .path("/bin/sh"),
      ["-c", #"cd "$1" && shift && exec "$@" >/dev/full"#, "sh", folder.path, Program.path] + arguments)
  }

  private func expectLoss(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == 1, "\(arguments)", sourceLocation: sourceLocation)
    #expect(outcome.errors.count == 1, "\(arguments)", sourceLocation: sourceLocation)
    // The reason is known only if the final flush of the buffer fails.
    let lines = [": No space left on device", ""].map {
      "error: standard output: cannot be written\($0); use a file system with room"
    }
    #expect(
      lines.contains(outcome.errors.first ?? ""), "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
  }

  private static let small = ["--rows", "80", "--existing-rows", "40"]

  @Test(arguments: [
    [[]], [["--help"], ["--version"], ["help", "run"]], [["--generate-completion-script", "bash"]],
    [["topologies"], ["topologies", "three-tier", "--format", "swift"]], [["workloads"]],
    [["profiles"], ["profiles", "host"], ["profiles", "reference"]],
    [["explain", "three-tier"]], [["sweep", "--vary", "seed=1,2", "--plan", "plan.jsonl"]],
  ])
  func `help, lists and plans end with status 1 on a full device`(commands: [[String]]) async throws {
    for arguments in commands { try await expectLoss(arguments) }
  }

  @Test(arguments: ["text", "csv"])
  func `a run on a full device ends with status 1 and keeps its result`(format: String) async throws {
    try await expectLoss(
      [
        "run", "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--output", "one", "--format",
        format,
      ]
        + Self.small)
    #expect(folder.contents(of: "one")?.contains("manifest.json") == true)
    try await expectLoss(["show", "one", "--format", format])
  }

  @Test func `a run with turns on a full device ends before its first trial`() async throws {
    try await expectLoss(
      ["run", "--take-turns", "--idle-seconds", "0", "--topology", "all-main", "--output", "one"] + Self.small)
    #expect(folder.contents(of: "one") == nil)
  }

  @Test func `sweep, collect, show and report end with status 1 on a full device`() async throws {
    let grid = ["--vary", "seed=1,2", "--topology", "all-main"] + Self.small
    try await expectLoss(["sweep", "--output", "grid"] + grid)
    for format in ["text", "csv"] { try await expectLoss(["show", "grid", "--format", format]) }
    try await expectLoss(["collect", "grid"])
    try await expectLoss(["report", "grid"])
  }

  @Test func `compare and advise end with status 1 on a full device`() async throws {
    try ComparedResults.write(to: "\(folder.path)/one", trials: 3)
    try ComparedResults.write(to: "\(folder.path)/two", trials: 3)
    try await expectLoss(["compare", "one", "two", "--format", "markdown"])
    try await expectLoss(
      ["advise", "--priority", "smoothness", "--draws", "0", "--topology", "all-main", "--format", "json"] + Self.small)
  }

  @Test func `the gate ends with status 1 on a full device`() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/baseline", withIntermediateDirectories: false)
    _ = try folder.write(
      "draws: 0\nruns:\n  one: --topology all-main --rows 80 --existing-rows 40\n", to: "baseline/gate.yaml")
    let flags = ["--baseline", "baseline", "--output", "fresh"]
    try await expectLoss(["gate", "--record"] + flags)
    try await expectLoss(["gate", "--format", "junit"] + flags)
  }

  @Test func `calibrate and validate end with status 1 on a full device`() async throws {
    _ = try folder.write(
      "scenario,size,cpu_ns,contextMade\nfirst,100,50000,100\nsecond,200,100000,200\n", to: "measurements.csv")
    try await expectLoss(["calibrate", "--from", "measurements.csv", "--classes-only", "--output", "host.yaml"])
    for format in ["text", "json"] {
      try await expectLoss(["validate", "--published", "iphone-6-child-of-main", "--format", format])
    }
  }

  @Test func `closed standard output ends with status 1 and keeps the result intact`() async throws {
    let script = #"cd "$1" && shift && exec "$@" >&-"#
    let outcome = try await Program.run(
      .path("/bin/sh"),
      [
        "-c", script, "sh", folder.path, Program.path, "run", "--machine", "simulated", "--draws", "0", "--output",
        "one",
      ]
        + ["--topology", "all-main"] + Self.small)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: standard output: cannot be written: Bad file descriptor; use a file system with room"
      ])
    let shown = try await Program.run(["show", "\(folder.path)/one"])
    #expect(shown.status == 0, "\(shown.errors)")
  }

  @Test(.enabled(if: Mounts.areAllowed, "this user cannot mount file systems"))
  func `every command prints one line if /proc is missing`() async throws {
    for arguments in [[], ["topologies"], ["run"], ["--version"]] {
      let outcome = try await Mounts.run(
        #"mount -t tmpfs none /proc && exec "$@""#, [Program.path] + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors == [
          "error: /proc: is not mounted; the program finds its arguments and its own file there: mount -t proc proc /proc"
        ])
    }
  }
}
