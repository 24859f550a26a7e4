import Foundation
import InputFiles
import MachineCore
import Subprocess
import SystemPackage
import TestSupport
import Testing
import Topologies
import TrialProcesses

@testable import Experiments
@testable import stackbench

/// Tests of stacks in files of the user, in every command that takes a stack.
@Suite(.serialized) struct OwnTopologyTests {
  private let folder: TemporaryFolder
  private let simulator: Simulator

  init() throws {
    folder = try TemporaryFolder()
    simulator = Simulator(folder: folder)
    try folder.write(Self.nested, to: "nested.yaml")
  }

  /// Two private contexts below main, which no known stack has.
  private static let nested = """
    number: "#7"
    summary: it's a stack -- nested; "deep"
    contexts:
      - {name: main, queue: main, lifetime: app}
      - {name: buffer, queue: private, parent: main, lifetime: app}
      - {name: worker, queue: private, parent: buffer, lifetime: payload}
    uiContext: main
    importContext: worker
    rules:
      - {afterSaveOf: worker, save: buffer}
      - {afterSaveOf: buffer, save: main}
    """

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Runs the program in the folder.
  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  private static let small = Simulator.small + ["--view-controllers", "2"]

  // MARK: run

  @Test func `a file that equals a known stack gives the same result bytes`() async throws {
    let name = "worker-merge/reset"
    let printed = try await run("topologies", name, "--format", "yaml")
    #expect(printed.status == 0)
    let file = try folder.write(printed.output, to: "printed.yaml")
    let known = try await simulator.results(of: Self.small + ["--topology", name])
    let own = try await simulator.results(of: Self.small + ["--topology", file])
    #expect(known == own && known.replay == own.replay)
  }

  @Test func `a stack of one's own is replayed when its file is gone`() async throws {
    let first = try await simulator.results(
      of: Self.small + ["--topology", path("nested.yaml"), "--topology", "all-main"])
    try FileManager.default.removeItem(atPath: path("nested.yaml"))
    #expect(first.replay.contains(#"--topology '{"contexts":"#))
    let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", "\(first.replay) --output '\(path("replayed"))'"],
      environment: .inherit.updating(["PATH": "\(programs):/usr/bin:/bin"]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try SimulatedResults(in: path("replayed")) == first)
  }

  @Test func `the columns, show and report name a stack of one's own after its file is gone`() async throws {
    let run = Array(Self.small.dropFirst())
    let outcome = try await Program.run(
      ["run"] + run + ["--topology", "nested.yaml", "--topology", "all-main", "--output", "out"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: path("nested.yaml"))
    let summary = try String(contentsOfFile: path("out/summary.csv"), encoding: .utf8)
    #expect(summary.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != "," } }.first == "nested")
    #expect(summary.split(separator: "\r\n").count == 3)
    let shown = try await self.run("show", "out")
    #expect(shown.status == 0 && shown.output.contains("nested") && !shown.output.contains("have a result"))
    #expect(try await self.run("report", "out", "--output", "out.html").status == 0)
    #expect(try String(contentsOfFile: path("out.html"), encoding: .utf8).contains("nested"))
  }

  @Test func `a stack of one's own runs live and is verified`() async throws {
    let outcome = try await run(
      "run", "--topology", "nested.yaml", "--rows", "200", "--existing-rows", "50", "--trials", "1", "--warmup", "1",
      "--idle-seconds", "0", "--output", "live", "--quiet")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let trials = try String(contentsOfFile: path("live/trials.csv"), encoding: .utf8)
    #expect(trials.split(separator: "\r\n").last?.hasSuffix(",1") == true)
  }

  // MARK: Other commands

  @Test func `compare names the first difference between stacks of one name`() async throws {
    for (name, text) in [("a", Self.nested), ("b", Self.nested.replacing("lifetime: payload", with: "lifetime: lane"))]
    {
      try folder.write(text, to: "nested.yaml")
      let outcome = try await Program.run(
        Self.small + ["--topology", "nested.yaml", "--output", name], in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let outcome = try await run("compare", "a", "b")
    #expect(
      outcome.output.contains("Differs: the stack nested, contexts[2].lifetime: payload, then lane."), "\(outcome)")
    #expect(try await !run("compare", "a", "a").output.contains("Differs"))
  }

  @Test func `a sweep and its plan do not need the file again`() async throws {
    let sizes = [
      "--rows", "60", "--existing-rows", "20", "--batch-size", "30", "--save-every", "30", "--user-edit-interval", "0",
    ]
    let planned = try await Program.run(
      ["sweep", "--vary", "topology=nested.yaml,all-main", "--vary", "seed=1,2", "--plan", "plan.jsonl"] + sizes,
      in: folder.path)
    #expect(planned.status == 0, "\(planned.errors)")
    try FileManager.default.removeItem(atPath: path("nested.yaml"))
    for index in 1...4 {
      let trial = try await run("trial", "--plan", "plan.jsonl", "--index", "\(index)")
      #expect(trial.status == 0, "\(trial.errors)")
    }
    #expect(try await run("collect", "plan.jsonl").status == 0)
    let table = try String(contentsOfFile: path("sweep.csv"), encoding: .utf8).split(separator: "\r\n").dropFirst()
    #expect(
      table.map { $0.split(separator: ",").prefix(2).joined(separator: " ") } == [
        "nested 1", "nested 2", "all-main 1", "all-main 2",
      ])
    let command = try SweepResults(
      of: SweepPlan(file: path("plan.jsonl")).trials.compactMap { try SweepFolder(path: folder.path).result(of: $0) },
      in: folder.path
    ).command
    let words = try await Program.run(.path("/bin/sh"), ["-c", "printf '%s\\n' \(command)"])
    let varied = try #require(words.output.split(separator: "\n").first { $0.hasPrefix("topology=") })
    let again = try VariedSetting(argument: String(varied)).typedValues(.standard)
    #expect(again.map(\.text) == ["nested", "all-main"])
  }

  @Test func `a gate's run may have a stack of one's own, and a changed one is judged`() async throws {
    let run = "--topology nested.yaml --rows 60 --existing-rows 20 --batch-size 30 --save-every 30"
    try FileManager.default.createDirectory(atPath: path("baseline"), withIntermediateDirectories: false)
    // Paths in the file are relative to its folder.
    let flags = run.replacing("nested.yaml", with: "../nested.yaml")
    try folder.write("draws: 0\nruns:\n  own: \(flags)\n", to: "baseline/gate.yaml")
    let recorded = try await Program.run(
      ["run", "--machine", "simulated", "--draws", "0", "--output", "baseline/own", "--quiet"]
        + run.split(separator: " ").map(String.init), in: folder.path)
    #expect(recorded.status == 0, "\(recorded.errors)")
    let same = try await self.run("gate", "--baseline", "baseline", "--output", "gate")
    #expect(same.status == 0, "\(same)")
    try folder.write(Self.nested.replacing("lifetime: payload", with: "lifetime: lane"), to: "nested.yaml")
    let changed = try await self.run("gate", "--baseline", "baseline", "--output", "gate")
    #expect(changed.status == 0)
    #expect(changed.output.contains("Changed since the baseline, and judged:\n"))
    #expect(changed.output.contains("own: the stack nested, contexts[2].lifetime: payload in the baseline, lane now"))
  }

  @Test func `explain and topologies take a file, and advise names it`() async throws {
    let explained = try await run("explain", "nested.yaml")
    #expect(explained.status == 0 && explained.output.hasPrefix("nested (#7): it's a stack -- nested; \"deep\"\n"))
    #expect(explained.output.contains("buffer"))
    let text = try await run("topologies", "nested.yaml")
    #expect(text.output.contains("\n  main ← buffer: private queue, one per app\n"))
    #expect(try await run("topologies", "nested.yaml", "--format", "dot").output.hasPrefix("digraph \"nested\" {"))
    let picture = try await run("topologies", "nested.yaml", "--format", "svg").output
    #expect(picture.hasPrefix("<svg ") && picture.contains(">buffer</text>"))
    let refused = try await run("topologies", "nested.yaml", "--format", "swift")
    #expect(refused.status == 64)
    #expect(
      refused.errors == [
        "error: --format swift: nested cannot be printed: the import is not a new child, for each payload, of main; use "
          + "--format text, yaml, dot or svg"
      ])
    let advice = try await run(
      "advise", "--priority", "smoothness", "--draws", "0", "--rows", "60", "--existing-rows", "20", "--batch-size",
      "30", "--topology", "nested.yaml", "--format", "json")
    #expect(advice.status == 0, "\(advice.errors)")
    // No code can be printed for the stack.
    #expect(!advice.output.contains("--format swift"))
    #expect(advice.output.contains("--topology nested.yaml"))
  }

  @Test func `a file is printed as Swift code if it has the shape of the code`() async throws {
    let printed = try await run("topologies", "three-tier", "--format", "yaml")
    let renamed = printed.output.replacing("id: three-tier", with: "id: my-tiers").replacing("worker", with: "loader")
    try folder.write(renamed, to: "mine.yaml")
    let code = try await run("topologies", "mine.yaml", "--format", "swift", "--save-every", "50")
    #expect(code.status == 0, "\(code.errors)")
    #expect(code.output.contains("//   stackbench topologies mine.yaml --format swift --save-every 50\n"))
    #expect(code.output.contains("final class MyTiersStack {") && code.output.contains("func makeLoader()"))
  }

  @Test func `the page shows the whole file of its example`() throws {
    let file = try Repository.text("docs/background-task.yaml")
    #expect(try Repository.text("docs/own-topology.md").contains("```yaml\n\(file)```"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("run", "--topology"), ("sweep", "--vary"), ("explain", ""), ("topologies", ""), ("advise", "--topology"),
  ])
  func `a mistake in a file is one line with the file, the line and the key`(command: String, flag: String) async throws
  {
    try folder.write("id: mine\ncontext: []", to: "wrong.yaml")
    let given = flag.isEmpty ? ["wrong.yaml"] : [flag, flag == "--vary" ? "topology=wrong.yaml" : "wrong.yaml"]
    let outcome = try await Program.run([command] + given, in: folder.path)
    #expect(outcome.status == 64 && outcome.errors.count == 1 && outcome.output.isEmpty)
    let place = flag.isEmpty ? "error: wrong.yaml:2: context: " : "error: --topology wrong.yaml: line 2: context: "
    #expect(
      outcome.errors.first?.hasPrefix(place + "not known; did you mean contexts? use one of id, ") == true,
      "\(outcome.errors)")
  }

  @Test func `two different stacks of one name are refused`() async throws {
    try FileManager.default.createDirectory(atPath: path("other"), withIntermediateDirectories: false)
    try folder.write(Self.nested.replacing("payload", with: "lane"), to: "other/nested.yaml")
    let message =
      "error: --topology other/nested.yaml: another stack has the name nested already; use another id or variant"
    let outcome = try await run("run", "--topology", "nested.yaml", "--topology", "other/nested.yaml")
    #expect(outcome.status == 64 && outcome.errors == [message])
    let sweep = try await run("sweep", "--vary", "topology=nested.yaml,other/nested.yaml")
    #expect(
      sweep.errors == ["error: --vary topology: nested is the name of two different values; use different names"])
    let twice = try RunRequest(
      arguments: ["--topology", path("nested.yaml"), "--topology=\(path("nested.yaml"))", "--topology", "three-tier"])
    #expect(try twice.experiment().topologies.map(\.title) == ["nested", "three-tier"])
  }

  @Test func `the arguments of a request contain the description and commands contain the path`() throws {
    let request = try RunRequest(arguments: ["--topology", path("nested.yaml"), "--rows", "50"])
    #expect(request.command("stackbench run") == "stackbench run --topology \(path("nested.yaml")) --rows 50")
    let arguments = request.arguments()
    #expect(arguments.first?.hasPrefix("--topology={\"id\": \"nested\", ") == true)
    #expect(try RunRequest(arguments: arguments).experiment().topologies == request.experiment().topologies)
  }
}
