import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that results are kept until users remove them, and that `show` prints them again.
@Suite(.serialized) struct StoredResultTests {
  private static let sizes = ["--rows", "80", "--existing-rows", "40"]
  private static let simulated = ["run", "--machine", "simulated", "--draws", "0"] + sizes

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program with the test's folder as its working folder.
  private func run(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  private func simulate(_ topology: String, _ arguments: String...) async throws -> Program.Outcome {
    try await run(StoredResultTests.simulated + ["--topology", topology] + arguments)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
  }

  /// Returns the names of the dated folders of results, the oldest first, and checks that those of a day are numbered
  /// from 1. A test may begin before midnight and end after it.
  private func kept(in name: String = "Results") -> [String] {
    let dated = (folder.contents(of: name) ?? []).compactMap { name in
      name.wholeMatch(of: /([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]+)/).map { (day: $0.output.1, number: Int($0.output.2)!) }
    }.sorted { ($0.day, $0.number) < ($1.day, $1.number) }
    for day in Set(dated.map(\.day)) {
      let numbers = dated.filter { $0.day == day }.map(\.number)
      #expect(numbers == Array(1...numbers.count))
    }
    return dated.map { "\($0.day)-\($0.number)" }
  }

  private func path(kept number: Int, in name: String = "Results") throws -> String {
    let names = kept(in: name)
    try #require(names.count >= number)
    return "\(name)/\(names[number - 1])"
  }

  // MARK: Runs

  @Test func `a second run into the default folder moves the first result aside`() async throws {
    let first = try await simulate("all-main")
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      first.output.hasSuffix(
        "\nResults: Results/latest\nReport:  stackbench report Results/latest\n"
          + "Again:   stackbench show Results/latest\n"
          + "Next:    stackbench advise --reference all-main --rows 80 --existing-rows 40\n"))
    let trials = try text("Results/latest/trials.csv")
    let second = try await simulate("three-tier")
    #expect(second.status == 0, "\(second.errors)")
    #expect(kept().count == 1)
    let path = try path(kept: 1)
    #expect(second.output.hasSuffix("\nEarlier: the result that was there is now in \(path)\n"))
    #expect(try text("\(path)/trials.csv") == trials)
    #expect(try text("Results/latest/trials.csv").contains("\nthree-tier,"))
    let third = try await simulate("three-tier", "--quiet")
    #expect(third.output.isEmpty)
    #expect(third.errors == ["Earlier: the result that was there is now in \(try self.path(kept: 2))"])
    #expect(kept().count == 2)
  }

  @Test func `a named result is overwritten only with --replace`() async throws {
    #expect(try await simulate("all-main", "--name", "before").status == 0)
    let trials = try text("Results/before/trials.csv")
    let again = try await simulate("three-tier", "--name", "before")
    #expect(again.status == 64)
    #expect(
      again.errors == [
        "error: --name before: Results/before holds a result already; use another name, or --replace to overwrite it"
      ])
    #expect(try text("Results/before/trials.csv") == trials)
    #expect(try await simulate("three-tier", "--name", "before", "--replace").status == 0)
    #expect(try text("Results/before/trials.csv") != trials)
    #expect(kept().isEmpty)
  }

  @Test(arguments: ["", "a/b", "..", "-x"])
  func `an invalid name of a result is refused`(name: String) async throws {
    let flag = name.isEmpty ? ["--name", name] : ["--name=\(name)"]
    let outcome = try await run(StoredResultTests.simulated + flag)
    #expect(outcome.status == 64)
    let start = "error: --name \(name): not the name of a folder in Results; "
    #expect(outcome.errors.map { $0.hasPrefix(start) } == [true], "\(outcome.errors)")
    #expect(folder.contents(of: "Results") == nil)
  }

  @Test func `a given output folder moves its earlier result aside and keeps other files`() async throws {
    #expect(try await simulate("all-main", "--output", "mine/one").status == 0)
    _ = try folder.write("my own", to: "mine/one/notes.txt")
    let second = try await simulate("three-tier", "--output", "mine/one")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try text("mine/one/notes.txt") == "my own")
    #expect(try text("\(try path(kept: 1, in: "mine"))/trials.csv").contains("\nall-main,"))
    #expect(try text("mine/one/trials.csv").contains("\nthree-tier,"))
  }

  @Test func `an interrupted run keeps its finished trials`() async throws {
    let results = "\(folder.path)/results"
    let outcome = try await Program.run(
      [
        "run", "--topology", "all-main", "--trials", "30", "--rows", "60", "--existing-rows", "0", "--batch-size", "30",
        "--arrival-interval", "1000", "--idle-seconds", "0", "--repeat-limit", "0", "--output", results,
      ]
    ) { process in
      let first = try await Processes.child(of: process, running: "child-trial")
      try await Processes.waitForEnd(of: first)
      _ = try await Processes.child(of: process, running: "child-trial")
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(outcome.output.isEmpty)
    let count = try text("results/trials.csv").split(separator: "\r\n").count - 1
    #expect((1..<30).contains(count))
    #expect(outcome.errors == ["error: interrupted; \(count) of 30 trials are kept in \(results)"])
    let shown = try await run(["show", results])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("Only \(count) of 30 trials have a result"))
  }

  // MARK: Shown again

  @Test(arguments: [["--draws", "3", "--topology", "all"], ["--topology", "all-main", "--kill-at", "20"]])
  func `show prints the same text as the run in each format`(flags: [String]) async throws {
    let arguments = ["run", "--machine", "simulated", "--output", "one"] + StoredResultTests.sizes + flags
    let printed = try await run(arguments)
    #expect(printed.status == 0, "\(printed.errors)")
    let shown = try await run(["show", "one"])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(!shown.output.isEmpty)
    #expect(printed.output.hasPrefix(shown.output + "\nResults: one\n"))
    for format in ["csv", "markdown"] {
      #expect(
        try await run(["show", "one", "--format", format]).output == run(arguments + ["--format", format]).output)
    }
    let json = try await run(["show", "one", "--format", "json"]).output
    #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
  }

  @Test func `show without a result prints one line`() async throws {
    let missing = try await run(["show"])
    #expect(missing.status == 64)
    #expect(
      missing.errors == ["error: Results/latest: not a folder; use one that run, sweep, advise or compare wrote"])
  }

  @Test func `advice and comparisons with --output are shown again in each format`() async throws {
    let advise = try await run(
      ["advise", "--priority", "smoothness", "--draws", "0", "--topology", "worker-merge", "--output", "advice"]
        + StoredResultTests.sizes)
    #expect(advise.status == 0, "\(advise.errors)")
    #expect(try await simulate("all-main", "--output", "a").status == 0)
    #expect(try await simulate("all-main", "--output", "b").status == 0)
    let compare = try await run(["compare", "a", "b", "--output", "comparison"])
    #expect(compare.status == 0, "\(compare.errors)")
    for (name, printed) in [("advice", advise.output), ("comparison", compare.output)] {
      let shown = try await run(["show", name])
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(!shown.output.isEmpty)
      #expect(printed == shown.output + "\nResults: \(name)\nAgain:   stackbench show \(name)\n")
      #expect(try await run(["show", name, "--format", "json"]).output.hasPrefix("{"))
      #expect(try await run(["show", name, "--format", "markdown"]).output.contains("**"))
      let refused = try await run(["show", name, "--format", "csv"])
      #expect(refused.status == 64)
      let what = name == "advice" ? name : "a comparison"
      #expect(refused.errors == ["error: --format csv: \(name) holds \(what); use one of json, text, markdown"])
      let (file, whole) = ("\(name)/\(name).json", try text("\(name)/\(name).json"))
      for damaged in [String(whole.dropLast(9)), whole.replacing(":", with: ";"), ""] {
        try damaged.write(toFile: "\(folder.path)/\(file)", atomically: false, encoding: .utf8)
        let refused = try await run(["show", name, "--format", "json"])
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(
          refused.errors == ["error: \(file): is damaged or cut off; use another format, or make the \(name) again"])
      }
    }
  }

  // MARK: Sweeps

  @Test func `a sweep prints one row per point and moves another sweep aside`()
    async throws
  {
    func sweep(_ sizes: String) async throws -> Program.Outcome {
      try await run(
        ["sweep", "--vary", "batch-size=\(sizes)", "--vary", "topology=all-main,three-tier"] + StoredResultTests.sizes)
    }
    let first = try await sweep("20,40")
    #expect(first.status == 0, "\(first.errors)")
    let rows = first.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.contains { $0.starts(with: ["batch-size", "topology", "hitch", "ms/s", "dropped", "import"]) })
    for point in [["20", "all-main"], ["20", "three-tier"], ["40", "all-main"], ["40", "three-tier"]] {
      #expect(rows.count { $0.map(String.init).starts(with: point) && $0.count == 6 } == 1, "\(point)")
    }
    let name = "Results/sweep-batch-size-topology"
    let table = try text("\(name)/sweep.csv")
    let again = try await sweep("20,40")
    #expect(again.status == 0 && kept().isEmpty)
    let shown = try await run(["show", name])
    #expect(first.output.hasPrefix(shown.output))
    #expect(try await run(["show", name, "--format", "csv"]).output == table)
    let report = try await run(["report", name, "--output", "page.html"])
    #expect(report.status == 0, "\(report.errors)")
    let page = try text("page.html")
    #expect(page.contains("<h1>The stacks by batch-size</h1>"))
    #expect(page.components(separatedBy: "data-label=\"topology\">three-tier</td>").count == 3)
    #expect(page.contains("stackbench sweep --vary batch-size=20,40 --vary topology=all-main,three-tier"))
    #expect(page.contains("<svg") == (folder.contents(of: "\(name)/charts") != nil))
    let other = try await sweep("10,40")
    #expect(other.status == 0, "\(other.errors)")
    #expect(kept().count == 1)
    #expect(try text("\(try path(kept: 1))/sweep.csv") == table)
  }

  // MARK: Limits

  @Test func `the time limit of a simulated trial excludes waits for the computer`() async throws {
    let outcome = try await Program.run(
      StoredResultTests.simulated
        + ["--topology", "all-main", "--time-limit", "2", "--output", "\(folder.path)/results"]
    ) { process in
      let child = try await Processes.child(of: process, running: "child-trial")
      kill(child, SIGSTOP)
      try await Task.sleep(for: .seconds(3))
      kill(child, SIGCONT)
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
