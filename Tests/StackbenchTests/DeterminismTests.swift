import Foundation
import Subprocess
import TestSupport
import Testing

/// Tests that the same flags and seeds give the same results, byte for byte, even on a busy computer.
@Suite(.serialized) struct DeterminismTests {
  private let folder: TemporaryFolder
  private let simulator: Simulator

  init() throws {
    folder = try TemporaryFolder()
    simulator = Simulator(folder: folder)
  }

  private static let files: Set = ["frames.csv", "stalls.csv", "summary.csv", "trials.csv"]

  /// A command that runs another one while two loops keep the computer busy, and then ends the loops.
  private static let besideBusyLoops = [
    "sh", "-c",
    """
    busy() { ulimit -t 300; while :; do :; done; }
    busy & first=$!
    busy & second=$!
    "$@"; status=$?
    kill -9 $first $second
    exit $status
    """, "sh",
  ]

  @Test(arguments: [
    ["--topology", "worker-merge", "--topology", "three-tier", "--view-controllers", "3"],
    [
      "--topology", "reversed-parent/child", "--topology", "all-main", "--profile", "iphone-4s", "--trials", "2",
      "--in-flight", "none",
    ],
    ["--topology", "worker-merge", "--topology", "three-tier", "--concurrent-imports", "3", "--overlap", "30"],
    [
      "--topology", "per-view-controller", "--profile", "host", "--schedule-seed", "3", "--warmup", "1", "--draws", "2",
    ],
  ])
  func `results are equal with other hashing, a busy computer and one core`(flags: [String]) async throws {
    let arguments = Simulator.small + flags
    let first = try await simulator.results(of: arguments)
    #expect(Set(first.files.keys) == Self.files.union(flags.contains("--draws") ? ["draws.csv"] : []))
    let hashed = try await simulator.results(
      of: arguments, environment: .inherit.updating(["SWIFT_DETERMINISTIC_HASHING": "1"]))
    #expect(hashed == first)
    #expect(try await simulator.results(of: arguments, under: Self.besideBusyLoops) == first)
    #expect(try await simulator.results(of: arguments, under: ["taskset", "-c", "0"]) == first)
  }

  @Test func `--check-determinism simulates again, prints one line and keeps the results`() async throws {
    let arguments = Simulator.small + ["--topology", "three-tier", "--topology", "all-main", "--draws", "1"]
    let plain = try await simulator.results(of: arguments)
    let output = "\(folder.path)/results"
    let outcome = try await Program.run(arguments + ["--check-determinism", "--output", output])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output == "deterministic: 4 trials, simulated 3 times, gave the same bytes; fingerprint "
        + "\(plain.fingerprint)\n")
    #expect(try SimulatedResults(in: output) == plain)
  }

  @Test func `--check-determinism prints the first different line and ends with status 1`() async throws {
    let output = "\(folder.path)/results"
    let outcome = try await Program.run(
      Simulator.small + ["--topology", "all-main", "--check-determinism", "--output", output]
    ) { process in
      _ = try await Processes.child(of: process, running: "repeat")
      // The stored result is changed, as if the first run had had another result.
      let file = URL(fileURLWithPath: "\(output)/stalls.csv")
      try Data((String(contentsOf: file, encoding: .utf8) + "all-main,,7,1,2,save,,,,,\r\n").utf8).write(to: file)
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
    let line = try #require(outcome.errors.first)
    #expect(
      line.hasPrefix("error: not deterministic, with deterministic hashing: stalls.csv, line ")
        || line.hasPrefix("error: not deterministic, with random hashing: stalls.csv, line "), "\(line)")
  }

  @Test func `results equal the recorded results of other builds`() async throws {
    let outcome = try await Program.run(
      .path("/bin/sh"), [Repository.root.appendingPathComponent(".ci/goldens").path, "check", Program.path])
    #expect(outcome.status == 0, "\(outcome.errors.joined(separator: "\n"))")
  }
}
