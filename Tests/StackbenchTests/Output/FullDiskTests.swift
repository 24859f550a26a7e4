import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests that a command on a full file system ends with status 1 and one line that names the file system, and that it
/// leaves no files.
@Suite(.serialized, .enabled(if: Mounts.areAllowed, "this user cannot mount file systems"))
struct FullDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/disk", withIntermediateDirectories: false)
  }

  private var disk: String { "\(folder.path)/disk" }

  /// Runs the program with a small file system at `disk`. The output of the outcome is the list of files left on it.
  private func run(_ size: String, _ arguments: [String]) async throws -> Program.Outcome {
    try await Mounts.run(
      #"mount -t tmpfs -o size="$1" none "$2" && d=$2 && shift 2 && "$@" >/dev/null; s=$?; ls -A "$d"; exit $s"#,
      [size, disk, Program.path] + arguments)
  }

  private func expectFull(_ outcome: Program.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.status == 1, sourceLocation: sourceLocation)
    #expect(outcome.errors.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    let line = outcome.errors.first ?? ""
    #expect(
      line.hasPrefix("error: ") && line.contains("no space is left on the file system at \(disk)"), "\(line)",
      sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, "left behind: \(outcome.output)", sourceLocation: sourceLocation)
  }

  private static let work = [
    "--topology", "all-main", "--topology", "worker-merge", "--rows", "3000", "--existing-rows", "1000",
  ]
  private static let live = ["--trials", "1", "--warmup", "0", "--idle-seconds", "0"]
  private static let simulated = ["--machine", "simulated", "--draws", "0"]

  /// Tests disks of several sizes. The smallest is full before the plan of a child is written. The largest is full only
  /// during the import, also if trials do not run at the same time: one trial alone needs between 1,700 and 1,800 kB.
  @Test(arguments: ["8k", "100k", "400k", "1m", "1600k"], [live, simulated, simulated + ["--kill-at", "400"]])
  func `a run on a full disk prints one line and leaves no files`(size: String, flags: [String]) async throws {
    expectFull(try await run(size, ["run", "--output", "\(disk)/results"] + Self.work + flags))
  }

  @Test func `a sweep on a full disk prints one line for all trials`() async throws {
    expectFull(try await run("1600k", ["sweep", "--vary", "seed=1,2,3", "--output", "\(disk)/results"] + Self.work))
  }

  @Test func `the gate, advise, validate, calibrate and report fail on a full disk`() async throws {
    try ComparedResults.write(to: "\(folder.path)/run", trials: 1)
    let commands = [
      ["gate", "--record", "--baseline", "\(folder.path)/baseline", "--output", "\(disk)/results"],
      ["advise", "--priority", "smoothness", "--draws", "0", "--scratch", disk] + Self.work,
      ["validate", "--rows", "2000", "--trials", "1", "--output", "\(disk)/results"],
      ["calibrate", "--seconds", "1", "--output", "\(disk)/host.yaml"],
      ["report", "\(folder.path)/run", "--output", "\(disk)/page.html"],
    ]
    for arguments in commands { expectFull(try await run("60k", arguments)) }
    #expect(folder.contents(of: "baseline") == nil)
  }

  @Test func `an earlier result is kept if the next one fills the disk`() async throws {
    let outcome = try await Mounts.run(
      #"""
      mount -t tmpfs -o size=8m none "$1" && cd "$1" && shift && p=$1 && shift
      "$p" run "$@" --quiet && cp -r results before && head -c 6800000 /dev/zero >filler
      "$p" run "$@" --quiet; s=$?; diff -r results before && ls -A; exit $s
      """#,
      [disk, Program.path, "--output", "results"] + Self.simulated + Self.work)
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("no space is left on the file system at \(disk)"))
    #expect(outcome.output == "before\nfiller\nresults\n")
  }

  /// Tests file systems with small blocks. SQLite maps the index of its log into memory, and the process receives a
  /// signal if the disk has no room for a page of the index.
  @Test(.enabled(if: Mounts.allowLoops, "this user cannot mount files"))
  func `a run on a full disk with small blocks prints one line`() async throws {
    for size in stride(from: 1_300, through: 1_400, by: 20) {
      let outcome = try await Mounts.run(
        #"""
        f=$2.image; head -c $(($1 * 1024)) /dev/zero >"$f" && mkfs.ext4 -q -b 1024 -O ^has_journal -m 0 "$f" &&
        mount -o loop "$f" "$2" && rmdir "$2/lost+found" && d=$2 && shift 2 && "$@" >/dev/null; s=$?; ls -A "$d"; exit $s
        """#,
        ["\(size)", disk, Program.path, "run", "--output", "\(disk)/results"] + Self.work + Self.live)
      expectFull(outcome)
    }
  }
}

/// Tests of runs with a limit on the size of files.
@Suite(.serialized) struct FileSizeLimitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program with a limit of a number of blocks of 512 bytes, and expects one line that names the limit.
  private func expectLimit(_ blocks: Int, _ arguments: [String]) async throws {
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", #"ulimit -f "$0"; exec "$@""#, "\(blocks)", Program.path] + arguments)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: this process may write files of \(blocks * 512) bytes and needs larger ones; raise the limit with "
          + "'ulimit -f'"
      ])
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [50, 1_000])
  func `a run over the file size limit prints one line and leaves no files`(blocks: Int) async throws {
    try await expectLimit(
      blocks,
      [
        "run", "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--rows", "3000", "--existing-rows",
        "1000", "--output", "\(folder.path)/results",
      ])
    #expect(folder.contents(of: ".") == [])
  }

  @Test(arguments: [(16, "sibling-conflict"), (300, "child-batch-size")])
  func `a scenario over the file size limit names the limit in place of an outcome`(
    blocks: Int, scenario: String
  ) async throws {
    try await expectLimit(blocks, ["scenario", scenario])
  }
}
