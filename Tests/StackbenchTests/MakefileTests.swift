import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

@Suite struct MakefileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `make help lists every command`() async throws {
    let outcome = try await make("help", isDryRun: false)
    for command in [
      "help", "build", "bench", "simulate", "gate", "baseline", "gate-power", "phones", "peers", "scale", "peers-test",
      "peers-gate", "test", "signals", "kills", "faults", "determinism", "additions", "soak",
      "lint", "claims",
      "format", "tsan", "asan", "plots", "published", "report", "report-check",
      "docs", "goldens", "completions", "clean", "size",
    ] {
      #expect(outcome.output.contains("make \(command) "), "\(command)")
    }
  }

  @Test func `make bench passes its variables to the program`() async throws {
    let bench = try await make("bench", "ROWS=7", "IDLE=10", "FLAGS=--trials 1 --quiet").output
    #expect(bench.contains("stackbench run --rows 7 --idle-seconds 10 --trials 1 --quiet"))
    #expect(bench.contains("Results/latest/trials.csv"))
  }

  @Test(arguments: ["--output /x/y", "--output=/x/y --trials 1", "--output a --output /x/y"])
  func `make bench draws charts of the output folder`(flags: String) async throws {
    #expect(try await make("bench", "FLAGS=\(flags)").output.contains("/x/y/trials.csv"))
  }

  @Test func `make simulate draws charts of the named result`() async throws {
    let plain = try await make("simulate").output
    #expect(plain.contains("--machine simulated --output Results/simulated"))
    #expect(plain.contains("Results/simulated/trials.csv"))
    let named = try await make("simulate", "FLAGS=--name before").output
    #expect(!named.contains("--output"))
    #expect(named.contains("Results/before/trials.csv"))
  }

  @Test func `make baseline records the gate's runs and draws the first one`() async throws {
    let baseline = try await make("baseline", "FLAGS=--quiet").output
    #expect(baseline.contains("stackbench gate --record --quiet\n"))
    #expect(baseline.contains("\"Results/gate/\(GateRun.standard[0].name)\" \"plots\""))
    #expect(try await make("gate", "FLAGS=--format junit").output.contains("stackbench gate --format junit\n"))
  }

  @Test func `make claims measures live experiments only if asked`() async throws {
    #expect(try await make("claims").output.contains("stackbench claims --renew simulated \n"))
    #expect(try await make("claims", "LIVE=1", "FLAGS=--quiet").output.contains("claims --renew all --quiet\n"))
  }

  @Test func `make soak passes its variables to the program`() async throws {
    #expect(try await make("soak").output.contains("stackbench soak all --minutes 60 \n"))
    let short = try await make("soak", "MINUTES=3", "FLAGS=--rows 10").output
    #expect(short.contains("stackbench soak all --minutes 3 --rows 10\n"))
  }

  @Test func `make report and make report-check run their commands`() async throws {
    let report = try await make("report", "FROM=Results/simulated", "FLAGS=--output x.html").output
    #expect(report.contains("stackbench report \"Results/simulated\" --output x.html\n"))
    let check = try await make("report-check").output
    #expect(check.contains("sh .ci/set-up browser\n"))
    #expect(check.contains("bash .ci/report-check .build/release/stackbench\n"))
  }

  @Test func `make gate-power compares the program with itself and a slowed build`() async throws {
    let power = try await make("gate-power", "REPETITIONS=3").output
    #expect(power.contains("--scratch-path .build/slowed -Xswiftc -DSLOWED_ENGINE"))
    #expect(power.contains("bash .ci/gate-power .build/release/stackbench .build/slowed/release/stackbench 3"))
  }

  @Test(arguments: [
    // The first program calls a program worse unless its path contains "slow". The second one does the opposite.
    ("case $4 in *slow*) w=0;; *) w=2;; esac", "identical programs called worse: 3 of 3 (none may be)", 1),
    ("case $4 in *slow*) w=2;; *) w=0;; esac", "the engine slowed by 10 % found: 3 of 3 (3 must be)", 0),
    ("w=0", "the engine slowed by 10 % found: 0 of 3 (3 must be)", 1),
    // A comparison that fails ends the whole command.
    ("w=1", "second     verdict", 1),
  ])
  func `gate-power ends with 0 only if exactly the slowed build is worse`(
    answer: String, line: String, status: Int
  ) async throws {
    // A script replaces the program. It prints an answer and ends with a status.
    try fake(
      "program",
      "\(answer); printf 'Verdict: w.\\nWorse:\\n  all-main: import +9.9 %%,\\n    x +8.0 %%\\nBetter:\\n  y\\n'; exit $w"
    )
    let program = "\(folder.path)/program"
    let power = try await Program.run(
      .path("/bin/bash"), [Repository.root.appendingPathComponent(".ci/gate-power").path, program, "/slow", "3"])
    #expect(power.status == status)
    #expect(line.isEmpty || power.output.contains(line))
    if status == 0 {
      #expect(power.output.contains(#/ w +[0-9]+ s  all-main: import \+9\.9 %, x \+8\.0 % \n/#), "\(power.output)")
    }
  }

  @Test func `make test passes the samples as an absolute path`() async throws {
    let test = try await make("test", "SAMPLES=Tests").output
    #expect(test.contains("STACKBENCH_SAMPLES=\"\(Repository.root.path)/Tests\""))
    #expect(try await !make("test").output.contains("STACKBENCH_SAMPLES"))
  }

  @Test func `the README has make test and make bench`() throws {
    let readme = try Repository.text("README.md").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(readme.contains("make test"))
    #expect(readme.contains("make bench"))
  }

  @Test func `set-up without a toolchain prints one line`() async throws {
    let outcome = try await setUp()
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("error: no Swift toolchain; install Swift") == true)
  }

  @Test func `set-up prints nothing if every tool is installed`() async throws {
    try fake("swift", "exit 0")
    try fake("gnuplot", "exit 0")
    try fake("parallel", "exit 0")
    let outcome = try await setUp()
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty)
  }

  @Test func `set-up as root installs only the missing packages`() async throws {
    try fake("swift", "exit 0")
    try fake("id", "echo 0")
    try fake("env", "shift; \"$@\"")
    try fake("apt-get", "echo \"$@\" >>'\(folder.path)/log'")
    let outcome = try await setUp()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let log = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/log"), encoding: .utf8)
    #expect(log == "update -qq\ninstall -y -qq --no-install-recommends gnuplot-nox parallel\n")
  }

  @Test func `set-up for a browser installs the browser and its tools`() async throws {
    for name in ["swift", "gnuplot", "parallel"] { try fake(name, "exit 0") }
    try fake("id", "echo 0")
    try fake("env", "shift; \"$@\"")
    try fake("apt-get", "echo \"$@\" >>'\(folder.path)/log'")
    let outcome = try await setUp("browser")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let log = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/log"), encoding: .utf8)
    #expect(log.hasSuffix("--no-install-recommends chromium python3 poppler-utils\n"))
  }

  @Test func `set-up without root and sudo prints the packages to install`() async throws {
    try fake("swift", "exit 0")
    try fake("id", "echo 1000")
    try fake("apt-get", "exit 1")
    let outcome = try await setUp()
    #expect(outcome.status == 1)
    #expect(outcome.errors == ["error: neither root nor sudo; have somebody run: apt-get install gnuplot-nox parallel"])
  }

  @Test(arguments: [("5.10", 1), ("6.2.4", 1), ("6.3", 0), ("6.4-dev", 0), ("10.0", 0)])
  func `set-up with a toolchain that is too old prints one line`(version: String, status: Int) async throws {
    for name in ["gnuplot", "parallel"] { try fake(name, "exit 0") }
    try fake("swift", "echo 'Swift version \(version) (swift-RELEASE)'; echo 'Target: x86_64'")
    let outcome = try await setUp()
    #expect(outcome.status == status)
    #expect(outcome.errors.count == status)
    #expect(outcome.errors.allSatisfy { $0.contains(" is too old; install Swift 6.3 or later from https://") })
  }

  @Test(arguments: [0, 199, 200])
  func `a failed build on a full disk ends with a line that says what to do`(free: Int) async throws {
    try fake("swift", "echo error: No space left on device >&2; exit 3")
    try fake("df", "echo 'Filesystem 1M-blocks Used Available Capacity Mounted'; echo '/dev/a 9 9 \(free) 99% /'")
    let outcome = try await run(".ci/swift", ["build"])
    #expect(outcome.status == 3)
    #expect(outcome.errors.count == (free < 200 ? 2 : 1))
    #expect(outcome.errors.last?.contains(" has \(free) MB left; make room there ") == (free < 200))
  }

  /// Runs make, or prints the commands that it would run.
  private func make(_ arguments: String..., isDryRun: Bool = true) async throws -> Program.Outcome {
    try await Program.make((isDryRun ? ["--dry-run"] : []) + arguments)
  }

  /// Runs the set-up script. The search path contains only the commands of `fake`.
  private func setUp(_ arguments: String...) async throws -> Program.Outcome {
    try await run(".ci/set-up", arguments)
  }

  private func run(_ script: String, _ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(
      .path("/bin/sh"), [Repository.root.appendingPathComponent(script).path] + arguments,
      environment: .inherit.updating(["PATH": FilePath(folder.path).string]))
  }

  private func fake(_ command: String, _ script: String) throws {
    _ = try folder.writeProgram("#!/bin/sh\n\(script)\n", to: command)
  }
}
