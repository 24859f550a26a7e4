import Foundation
import Glibc
import Metrics
import Subprocess
import SystemPackage
import TestSupport
import Testing
import TrialSupport

/// Tests of `compare --live` with revisions of a small repository, which is "built" by a script and whose program
/// returns made-up results, and with the real program compared with itself.
@Suite(.serialized) struct LiveComparisonTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: repository, withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: false)
    // The fake build copies the program, a script in the work tree, and fails if the script is damaged.
    _ = try script(
      """
      while [ $# -gt 0 ]; do
        case $1 in --package-path) tree=$2;; --scratch-path) build=$2;; esac
        shift
      done
      echo built >>'\(folder.path)/log'
      if grep -q damaged "$tree/program"; then
        echo "$tree/Sources/Main.swift:3:5: error: cannot find 'x' in scope"
        echo "error: fatalError" >&2
        exit 1
      fi
      mkdir -p "$build/release" && cp "$tree/program" "$build/release/stackbench"
      """, to: "bin/swift")
  }

  private var repository: String { "\(folder.path)/repository" }
  private var log: [String] {
    ((try? String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  private func script(_ text: String, to name: String) throws -> String {
    try folder.writeProgram("#!/bin/sh\n\(text)\n", to: name)
  }

  /// Returns a program that logs its name and arguments, then its name at each of its turns, and copies the results
  /// from the folder `results`.
  ///
  /// `turns` is the number of turns after which the program fails, or nil if it takes a turn for each trial of each
  /// stack.
  private func program(_ name: String, results: String, turns: Int? = nil) -> String {
    """
    echo "\(name) $*" >>'\(folder.path)/log'
    while [ $# -gt 1 ]; do
      case $1 in --trials) trials=$2;; --topology=*) stacks=$((stacks + 1));; esac
      shift
    done
    for turn in $(seq \(turns.map(String.init) ?? "$((stacks * trials))")); do
      echo "turn $turn"
      read -r line || exit 1
      echo "turn of \(name)" >>'\(folder.path)/log'
    done
    \(turns == nil ? "" : "echo 'error: all-main, trial 3: was ended by signal 9 (Killed)' >&2; exit 1")
    cp -r '\(folder.path)/\(results)' "$1"
    """
  }

  /// The last letters of the programs that took turns, in the order of the turns.
  private var turns: String { log.compactMap { $0.hasPrefix("turn of ") ? $0.last : nil }.map(String.init).joined() }

  /// Commits a version of the program and tags it.
  private func commit(_ name: String, _ program: String) async throws {
    _ = try script(program, to: "repository/program")
    for arguments in [
      ["init", "--quiet", "."], ["add", "program"],
      ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "-m", name],
      ["tag", name],
    ] {
      let done = try await Program.run(.name("git"), ["-C", repository] + arguments)
      #expect(done.status == 0, "\(done.errors)")
    }
  }

  /// The flags for the two stacks of the made-up results.
  private static let stacks = ["--topology", "all-main", "--topology", "three-tier"]
  /// The flags for one of the two stacks, for tests in which a second one would add no information.
  private static let stack = ["--topology", "all-main"]

  private func compare(
    _ arguments: [String], meanwhile: @escaping @Sendable (pid_t) async throws -> Void = { _ in }
  ) async throws -> Program.Outcome {
    let result = try await Subprocess.run(
      .path(FilePath(Program.path)), arguments: Arguments(["compare", "--live"] + arguments),
      environment: .inherit.updating([
        "PATH": "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
      ]),
      workingDirectory: FilePath(repository), input: .none, output: .string(limit: 100_000),
      error: .string(limit: 100_000)
    ) { execution in
      try await meanwhile(execution.processIdentifier.value)
    }
    let status: Int =
      switch result.terminationStatus {
      case .exited(let status): Int(status)
      case .signaled(let number): -Int(number)
      }
    return Program.Outcome(
      status: status, output: result.standardOutput,
      errors: result.standardError.split(separator: "\n").map(String.init))
  }

  /// Checks that a comparison leaves no files in the folder and no work trees in git.
  private func expectNothingLeft() async throws {
    let contents = try FileManager.default.contentsOfDirectory(atPath: repository).sorted()
    #expect(contents == [".git", "program"])
    let trees = try await Program.run(.name("git"), ["-C", repository, "worktree", "list", "--porcelain"])
    #expect(trees.output.split(separator: "\n").count { $0.hasPrefix("worktree ") } == 1)
  }
}

// MARK: - Revisions

extension LiveComparisonTests {
  @Test func `two revisions are built once each and run in turns A B, B A`() async throws {
    try ComparedResults.write(to: "\(folder.path)/fast", trials: 25)
    try ComparedResults.write(to: "\(folder.path)/slow", trials: 25) { measures, topology, _ in
      if topology == "all-main" { measures.mainBusyNanoseconds = 1_050_000_000 }
    }
    try await commit("fast", program("A", results: "fast"))
    try await commit("slow", program("B", results: "slow"))
    let outcome = try await compare(["fast", "slow", "--rows", "700"] + Self.stacks)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("\nWorse:\n  all-main: main busy +5.00 %\n"))
    #expect(outcome.output.contains("12 pairs of each stack\n"))
    #expect(log.prefix(2) == ["built", "built"])
    #expect(
      log[2].hasPrefix(
        "A run --topology=all-main --topology=three-tier --rows=700 --trials 13 --idle-seconds 1 --take-turns --quiet "
          + "--output "))
    #expect(log.count { $0.contains(" run ") } == 2)
    // Each stack has a first pair of trials that does not count, followed by twelve pairs.
    #expect(turns == "BABA" + String(repeating: "ABABBABA", count: 6))
    let back = try await compare(["slow", "fast", "--quiet"] + Self.stacks)
    #expect(back.status == 0 && back.output.isEmpty)
    try await expectNothingLeft()
  }

  @Test func `the trial with less CPU time counts for its side`() async throws {
    // Another process disturbs every second trial of one side, and no trial of the other. The first one does not count.
    try ComparedResults.write(to: "\(folder.path)/quiet", topologies: ["all-main"], trials: 25)
    try ComparedResults.write(to: "\(folder.path)/hit", topologies: ["all-main"], trials: 25) { measures, _, trial in
      if trial % 2 == 1 {
        measures.mainBusyNanoseconds = 1_500_000_000
        measures.totalCPUNanoseconds = 9_000_000_000
      }
    }
    try await commit("quiet", program("A", results: "quiet"))
    try await commit("hit", program("B", results: "hit"))
    let outcome = try await compare(["quiet", "hit", "--trials", "2"] + Self.stack)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("all-main, 12 pairs\n") && outcome.output.hasPrefix("Verdict: equal.\n"))
    #expect(log[2].contains(" --trials 25 "))
    try await expectNothingLeft()
  }

  @Test func `identical revisions are built once`() async throws {
    try ComparedResults.write(to: "\(folder.path)/same", topologies: ["all-main"], trials: 25)
    try await commit("one", program("A", results: "same"))
    let outcome = try await compare(["one", "HEAD", "--pairs", "10"] + Self.stack)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Verdict: equal.\n"))
    #expect(log.count { $0 == "built" } == 1)
    #expect(log.count { $0.hasPrefix("A run ") } == 2)
    try await expectNothingLeft()
  }

  @Test func `a missing, broken or failing revision prints one line`() async throws {
    try ComparedResults.write(to: "\(folder.path)/same", trials: 25)
    try await commit("good", program("A", results: "same"))
    try await commit("damaged", "damaged")
    try await commit("refuses", "echo 'error: --rows 7: no such flag' >&2; exit 64")
    try await commit("fails", program("B", results: "same", turns: 5))
    try await commit("short", program("B", results: "same").replacing("stacks * trials", with: "trials"))
    let missing = try await compare(["good", "none"])
    #expect(missing.status == 64)
    #expect(
      missing.errors == [
        "error: none: neither a revision of this git repository nor the path of a program; use a name that 'git "
          + "rev-parse' accepts"
      ])
    let damaged = try await compare(["good", "damaged"])
    #expect(damaged.status == 1)
    #expect(damaged.errors.count == 1)
    #expect(
      damaged.errors[0].hasSuffix("): does not build: Sources/Main.swift:3:5: error: cannot find 'x' in scope"),
      "\(damaged.errors)")
    let refuses = try await compare(["good", "refuses"] + Self.stacks)
    #expect(refuses.status == 64)
    #expect(refuses.errors.count == 1 && refuses.errors[0].hasSuffix("): --rows 7: no such flag"), "\(refuses.errors)")
    for sides in [["good", "fails"], ["fails", "good"]] {
      let fails = try await compare(sides + Self.stacks)
      #expect(fails.status == 1)
      #expect(fails.errors.count == 1, "\(fails.errors)")
      #expect(
        fails.errors[0].hasPrefix("error: fails (")
          && fails.errors[0].hasSuffix("): all-main, trial 3: was ended by signal 9 (Killed)"))
    }
    let short = try await compare(["good", "short"] + Self.stacks)
    #expect(short.status == 1)
    #expect(
      short.errors.count == 1 && short.errors[0].hasSuffix("): ended before all of its trials had run"),
      "\(short.errors)")
    try await expectNothingLeft()
  }

  @Test(arguments: [("0", 0), ("50", 1)])
  func `a revision without a flag is compared with the default of the flag`(
    cellWork: String, status: Int
  ) async throws {
    try ComparedResults.write(to: "\(folder.path)/old", trials: 25)
    try ComparedResults.write(to: "\(folder.path)/new", trials: 25, flags: ["cell-work": cellWork])
    try await commit("old", program("A", results: "old"))
    try await commit("new", program("B", results: "new"))
    let outcome = try await compare(["old", "new", "--pairs", "1"] + Self.stacks)
    #expect(outcome.status == status)
    #expect(outcome.errors.isEmpty == (status == 0), "\(outcome.errors)")
  }

  @Test func `revisions that import different data are not compared`() async throws {
    try ComparedResults.write(to: "\(folder.path)/a", trials: 25)
    try ComparedResults.write(to: "\(folder.path)/b", trials: 25) { measures, _, _ in
      measures.storeDigest = String(repeating: "e1", count: 32)
    }
    try await commit("a", program("A", results: "a"))
    try await commit("b", program("B", results: "b"))
    let outcome = try await compare(["a", "b", "--pairs", "1"] + Self.stacks)
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("store_digest differs"))
  }

  @Test func `an interrupted comparison ends with status 130 and leaves no files`() async throws {
    let started = "\(folder.path)/started"
    try await commit("endless", "touch '\(started)'; exec sleep 600")
    let outcome = try await compare(["endless", "HEAD"]) { process in
      try await Processes.waitForFile(started, of: process)
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(outcome.errors == ["error: interrupted; no result was written"])
    try await expectNothingLeft()
  }
}

// MARK: - The real program

extension LiveComparisonTests {
  @Test func `programs are compared by path without a repository`() async throws {
    let outcome = try await compare([
      Program.path, Program.path, "--pairs", "1", "--topology", "all-main", "--rows", "200", "--existing-rows", "100",
      "--warmup", "0", "--scratch", "\(folder.path)/scratch",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("all-main, 1 pair\n"))
    #expect(outcome.output.contains("Too few trials: with 8 tests, at least"))
    #expect(outcome.output.hasPrefix("Verdict: inconclusive.\n"))
    #expect(folder.contents(of: "scratch") == nil)
  }
}
