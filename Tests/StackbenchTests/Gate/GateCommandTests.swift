import Foundation
import Reporting
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the command `gate`, and of the gate as CI runs it.
@Suite(.serialized) struct GateCommandTests {
  private let folder: TemporaryFolder
  private let baseline: String

  init() throws {
    folder = try TemporaryFolder()
    baseline = "\(folder.path)/baseline"
    try FileManager.default.createDirectory(atPath: baseline, withIntermediateDirectories: true)
  }

  private func gate(_ arguments: String..., on baseline: String? = nil) async throws -> Program.Outcome {
    try await Program.run(
      ["gate", "--baseline", baseline ?? self.baseline, "--output", "\(folder.path)/fresh"] + arguments)
  }

  // MARK: Draws

  @Test func `the gate compares means over the draws that the budget allows`() async throws {
    _ = try folder.write(
      "draws: 2\nruns:\n  saves: --topology child-of-main --rows 120 --existing-rows 60 --batch-size 40\n",
      to: "baseline/gate.yaml")
    #expect(try await gate("--record").status == 0)
    #expect(
      folder.contents(of: "baseline/saves") == [
        "draws.csv", "floors.csv", "manifest.json", "summary.csv", "trials.csv",
      ])
    let equal = try await gate()
    #expect(equal.status == 0, "\(equal.errors)")
    #expect(equal.output.contains("1 stack, 63 measures, means of 2 draws: 0 worse, 0 better, 0 moved"))
    let quick = try await gate("--budget", "0", "--format", "markdown")
    #expect(quick.output.hasPrefix("### Stackbench gate: equal to the baseline\n"))
    #expect(quick.output.contains("means of 1 draw: 0 worse, 0 better, 0 moved"))
    #expect(try await gate("--quick", "--format", "junit").output.hasPrefix("<?xml"))

    // An expensive fault is found in both comparisons, and named as the cause.
    let worse = try await gate("--raise", "faultFired=900")
    #expect(worse.status == 2)
    #expect(worse.output.contains("means of 4 draws"))
    #expect(worse.output.contains("child-of-main"))
    #expect(worse.output.contains("charged: faultFired +"))
    #expect(worse.errors.count == 1 && worse.errors[0].hasSuffix(" of 1 stack worse than in \(baseline)"))
  }

  // MARK: Refusals

  @Test func `the gate without a baseline prints a hint`() async throws {
    for path in [baseline, "\(folder.path)/none"] {
      let outcome = try await gate(on: path)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == [
          "error: --baseline \(path): no baseline yet; make one with 'make baseline' "
            + "(stackbench gate --record --baseline \(path))"
        ])
    }
    #expect(folder.contents(of: "fresh") == nil)
  }

  @Test func `bad usage of gate prints one line`() async throws {
    let format = try await gate("--format", "html")
    #expect(format.status == 64)
    #expect(
      format.errors == [
        "error: --format html: not known; use one of text, markdown, json, junit, github-action-benchmark, bencher"
      ])
    let file = try folder.write("", to: "file")
    let noFolder = try await gate(on: file)
    #expect(noFolder.status == 64)
    #expect(noFolder.errors == ["error: --baseline \(file): not a folder; use one that 'make baseline' has made"])
    let same = try await Program.run(["gate", "--baseline", baseline, "--output", baseline])
    #expect(same.status == 64)
    #expect(same.errors == ["error: --output \(baseline): is the baseline's own folder; use another"])
    for (arguments, message) in [
      (["--raise", "fault=2"], "--raise fault=2: not a cost; did you mean faultFired? use cpu or a kind of work"),
      (["--raise", "cpu"], "--raise cpu: not a cost and a change; use COST=PERCENT"),
      (["--raise", "cpu=-100"], "--raise cpu=-100: not a cost and a change; use COST=PERCENT"),
      (["--raise", "cpu=nan"], "--raise cpu=nan: not a cost and a change; use COST=PERCENT"),
      (["--raise", "cpu=2", "--record"], "--raise: a baseline is recorded on the device as it is;"),
      (["--quick", "--budget", "5"], "--quick: is short for --budget; use one of them"),
      (["--budget", "-1"], "--budget -1: out of range; use 0 to 86400"),
    ] {
      let outcome = try await Program.run(["gate", "--baseline", baseline, "--output", "\(folder.path)/x"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.first?.hasPrefix("error: \(message)") == true, "\(outcome.errors)")
    }
    _ = try folder.write("tolerances: {import: 1}", to: "baseline/gate.yaml")
    let plan = try await gate()
    #expect(plan.status == 64)
    #expect(
      plan.errors.first?.hasPrefix(
        "error: \(baseline)/gate.yaml:1: tolerances.import: not known; did you mean import_ns?") == true)
  }

  // MARK: A seeded regression

  /// Writes a profile of a device on which every fault costs the given time, and returns its path.
  private func profile(fault nanoseconds: Int) throws -> String {
    let golden = try Repository.text("Tests/StackbenchTests/Goldens/phone.yaml")
    var lines = golden.components(separatedBy: "\n")
    let place = try #require(lines.firstIndex(of: "  faultFired:"))
    lines[place + 1] = "    cpu: {value: \(nanoseconds), low: \(nanoseconds), high: \(nanoseconds), source: this test}"
    return try folder.write(lines.joined(separator: "\n"), to: "seeded.yaml")
  }

  @Test func `CI ends with status 2 at a regression`() async throws {
    let profile = try profile(fault: 1_000)
    _ = try folder.write(
      "draws: 0\nruns:\n  seeded: --profile \(profile) --topology child-of-main --rows 120 --existing-rows 60 --batch-size 40\n",
      to: "baseline/gate.yaml")
    #expect(try await gate("--record").status == 0)
    #expect(try await ci().status == 0)
    // The regression is a device with the same name, on which every fault takes ten times as long.
    _ = try self.profile(fault: 10_000)
    let outcome = try await ci()
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("Worse, run seeded:"))
    #expect(outcome.output.contains("charged: faultFired +"))
    #expect(!outcome.output.contains("=== passed"))
  }

  /// Runs `.ci/run` with commands that do no work, apart from the gate, which uses this test's baseline.
  private func ci() async throws -> Program.Outcome {
    let commands = "\(folder.path)/bin"
    try FileManager.default.createDirectory(atPath: commands, withIntermediateDirectories: true)
    // The script is copied next to the files that it uses.
    let ci = "\(folder.path)/ci-root/.ci"
    try FileManager.default.createDirectory(atPath: ci, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/ci-root/.build/release", withIntermediateDirectories: true)
    _ = try folder.write(try Repository.text(".ci/run"), to: "ci-root/.ci/run")
    _ = try folder.write(try Repository.text("README.md"), to: "ci-root/README.md")
    let stand = """
      #!/bin/bash
      if [ "$1" = gate ]; then
        shift
        exec "\(Program.path)" gate --baseline "\(baseline)" --output "\(folder.path)/ci" "$@"
      fi
      while [ $# -gt 1 ]; do [ "$1" = --output ] && mkdir -p "$2" && cd "$2"; shift; done
      for file in trials.csv summary.csv frames.csv stalls.csv manifest.json; do echo x >$file; done
      """
    let idle = "#!/bin/bash\nexit 0\n"
    for (name, script) in [
      ("bin/make", idle), ("bin/python3", idle), ("bin/sh", idle),
      ("ci-root/.build/release/stackbench", stand),
    ] {
      _ = try folder.writeProgram(script, to: name)
    }
    return try await Program.run(
      .name("bash"), ["\(ci)/run"],
      environment: .inherit.updating(["PATH": "\(commands):/usr/local/bin:/usr/bin:/bin"]))
  }
}
