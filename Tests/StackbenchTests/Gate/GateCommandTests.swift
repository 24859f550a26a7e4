import Foundation
import Reporting
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the gate as CI runs it, with two small runs.
@Suite(.serialized) struct GateCommandTests {
  private let folder: TemporaryFolder
  private let baseline: String

  private static let plan = """
    draws: 0
    runs:
      saves: --topology child-of-main --topology worker-merge --rows 120 --existing-rows 60 --batch-size 40
      screens: --topology worker-merge --rows 80 --existing-rows 40 --batch-size 40 --view-controllers 2
    """

  init() throws {
    folder = try TemporaryFolder()
    baseline = "\(folder.path)/baseline"
    try FileManager.default.createDirectory(atPath: baseline, withIntermediateDirectories: true)
    _ = try folder.write(Self.plan, to: "baseline/gate.yaml")
  }

  private func gate(_ arguments: String..., on baseline: String? = nil) async throws -> Program.Outcome {
    try await Program.run(
      ["gate", "--baseline", baseline ?? self.baseline, "--output", "\(folder.path)/fresh"] + arguments)
  }

  private func record() async throws {
    let outcome = try await gate("--record")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "Baseline: 2 runs with 3 stacks recorded in \(baseline); commit it\n")
  }

  /// Changes a field in a table of the baseline.
  private func edit(_ file: String, _ column: String, row: Int = 1, _ change: (String) -> String) throws {
    let url = URL(fileURLWithPath: "\(baseline)/\(file)")
    var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\r\n")
    let place = try #require(lines[0].components(separatedBy: ",").firstIndex(of: column))
    var fields = lines[row].components(separatedBy: ",")
    fields[place] = change(fields[place])
    lines[row] = fields.joined(separator: ",")
    try Data(lines.joined(separator: "\r\n").utf8).write(to: url)
  }

  /// Changes the text of a file of the baseline.
  private func replace(_ old: String, by new: String, in file: String) throws {
    let url = URL(fileURLWithPath: "\(baseline)/\(file)")
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(old))
    try Data(text.components(separatedBy: old).joined(separator: new).utf8).write(to: url)
  }

  // MARK: Verdicts

  @Test func `the gate reports equal, worse and better measures with their status`() async throws {
    try await record()
    #expect(folder.contents(of: "baseline") == ["gate.yaml", "saves", "screens"])
    for run in ["saves", "screens"] {
      #expect(folder.contents(of: "baseline/\(run)") == ["manifest.json", "summary.csv", "trials.csv"])
    }
    let equal = try await gate()
    #expect(equal.status == 0, "\(equal.errors)")
    #expect(
      equal.output
        == "Gate: equal; 2 runs, 3 stacks, 186 measures: 0 worse, 0 better, 0 moved within their floors, 186 equal\n")
    #expect(equal.errors.isEmpty)

    // The baseline is changed, as if the import had been faster.
    try edit("saves/trials.csv", "import_ns") { "\((Int64($0) ?? 0) * 9 / 10)" }
    let worse = try await gate()
    #expect(worse.status == 2)
    #expect(worse.output.contains("Worse, run saves:"))
    #expect(worse.output.contains("child-of-main\n  import_ns "))
    #expect(worse.errors == ["error: 1 measure of 1 stack worse than in \(baseline)"])

    // The baseline is also changed as if the stack had used more memory.
    try edit("screens/trials.csv", "heap_peak_bytes") { "\((Int64($0) ?? 0) * 2)" }
    let both = try await gate("--format", "json")
    #expect(both.status == 2)
    #expect(both.output.contains("\"verdict\" : \"worse\""))
    #expect(both.output.contains("\"better\" : 1"))

    // A tolerance that accepts the first change leaves only the second one.
    _ = try folder.write("tolerances: {import_ns: 20}\n" + Self.plan, to: "baseline/gate.yaml")
    let better = try await gate()
    #expect(better.status == 0, "\(better.errors)")
    #expect(better.output.contains("Better, run screens:"))
    #expect(
      better.output.contains("Better than the baseline: run 'make baseline' and commit the result to keep it"))
    #expect(better.errors.isEmpty)
    #expect(try await gate("--quiet").output.isEmpty)
  }

  @Test(arguments: ["markdown", "junit"])
  func `the gate prints Markdown and JUnit`(format: String) async throws {
    try await record()
    let outcome = try await gate("--format", format)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix(format == "junit" ? "<?xml" : "### Stackbench gate: equal to the baseline\n"))
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
    #expect(equal.output.contains("1 stack, 62 measures, means of 2 draws: 0 worse, 0 better, 0 moved"))
    let quick = try await gate("--budget", "0")
    #expect(quick.output.contains("means of 1 draw: 0 worse, 0 better, 0 moved"))

    // An expensive fault is found in both comparisons, and named as the cause.
    let worse = try await gate("--raise", "faultFired=900")
    #expect(worse.status == 2)
    #expect(worse.output.contains("means of 4 draws"))
    #expect(worse.output.contains("child-of-main"))
    #expect(worse.output.contains("charged: faultFired +"))
  }

  // MARK: Bad baselines

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

  @Test func `a folder with one run's results is refused as a baseline`() async throws {
    try await record()
    let outcome = try await gate(on: "\(baseline)/saves")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: --baseline \(baseline)/saves: holds the results of one run, not a baseline, which has a folder for each "
          + "of the gate's runs; use the one that 'make baseline' has made"
      ])
  }

  @Test func `a baseline of another configuration or profile is refused before the runs`() async throws {
    try await record()
    try replace("\"debug\"", by: "\"release\"", in: "saves/manifest.json")
    try replace("\"debug\"", by: "\"release\"", in: "screens/manifest.json")
    try replace("\"profile_version\" : ", by: "\"profile_version\" : 9", in: "screens/manifest.json")
    try FileManager.default.removeItem(atPath: "\(folder.path)/fresh")
    let outcome = try await gate()
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 2)
    #expect(outcome.errors[0].hasPrefix("error: all runs: configuration: release in the baseline, debug now"))
    #expect(outcome.errors[1].hasPrefix("error: screens: profile_version: 9"))
    #expect(folder.contents(of: "fresh") == nil)
  }

  @Test func `swapped runs are reported by their different flags`() async throws {
    try await record()
    try FileManager.default.moveItem(atPath: "\(baseline)/saves", toPath: "\(baseline)/other")
    try FileManager.default.moveItem(atPath: "\(baseline)/screens", toPath: "\(baseline)/saves")
    try FileManager.default.moveItem(atPath: "\(baseline)/other", toPath: "\(baseline)/screens")
    let outcome = try await gate()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("error: saves: --rows: 80 in the baseline, 120 now"))
    #expect(outcome.errors.contains("error: screens: --view-controllers: 1 in the baseline, 2 now"))
  }

  @Test func `missing and unknown runs are reported, and recording repairs the baseline`() async throws {
    try await record()
    try FileManager.default.moveItem(atPath: "\(baseline)/screens", toPath: "\(baseline)/windows")
    let outcome = try await gate()
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: screens: one of the gate's runs, but not in the baseline",
        "error: windows: in the baseline, but not one of the gate's runs",
      ])
    try await record()
    #expect(folder.contents(of: "baseline") == ["gate.yaml", "saves", "screens"])
  }

  @Test func `a damaged baseline prints one line with file and line before the runs`() async throws {
    try await record()
    try edit("screens/summary.csv", "import_ns") { _ in "-7" }
    let file = "\(baseline)/screens/summary.csv"
    let outcome = try await gate()
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: \(file):2: import_ns: -7 is out of range; use 0 to 1000000000000000; restore it, or record the "
          + "baseline again with 'make baseline'"
      ])
    try edit("screens/summary.csv", "import_ns") { _ in "7" }
    try replace("\"schema\" : 2", by: "\"schema\" : 3", in: "saves/manifest.json")
    let newer = try await gate()
    #expect(newer.status == 1)
    #expect(newer.errors.count == 1)
    #expect(
      newer.errors.first?.hasPrefix("error: \(baseline)/saves/manifest.json: schema 3, written by stackbench ") == true)
  }

  @Test func `a baseline with unverified data is reported`() async throws {
    try await record()
    try edit("saves/summary.csv", "verified", row: 2) { _ in "0" }
    let outcome = try await gate()
    #expect(outcome.status == 1)
    #expect(outcome.errors == ["error: saves: worker-merge/notification: its data did not verify in the baseline"])
  }

  @Test func `bad usage of gate prints one line`() async throws {
    let format = try await gate("--format", "html")
    #expect(format.status == 64)
    #expect(format.errors == ["error: --format html: not known; use one of text, markdown, json, junit"])
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
    #expect(plan.errors.first?.hasPrefix("error: \(baseline)/gate.yaml:1: tolerances.import: not known; use") == true)
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
    for (name, script) in [("bin/make", idle), ("bin/sh", idle), ("ci-root/.build/release/stackbench", stand)] {
      let file = try folder.write(script, to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
    return try await Program.run(
      .name("bash"), ["\(ci)/run"],
      environment: .inherit.updating(["PATH": "\(commands):/usr/local/bin:/usr/bin:/bin"]))
  }
}
