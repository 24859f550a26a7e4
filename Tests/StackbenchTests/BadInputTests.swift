import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct BadInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    ("truncated.json", #"[{"id":1,"name":"a"},{"id":2,"na"#), ("text.ndjson", "{\"id\":1}\nnot a record\n"),
    ("binary.json", "\u{0}\u{1}\u{2}"),
  ])
  func `a damaged feed prints one line with its name and ends with status 64`(name: String, text: String) async throws {
    let feed = try folder.write(text, to: name)
    let outcome = try await run("--workload", feed)
    try expectRefusal(outcome, mentioning: name)
  }

  @Test func `a feed of small lists takes less than 30 times its size in memory`() async throws {
    let lists = String(repeating: "[1],", count: 1_000_000)
    let feed = try folder.write(#"[{"id":1,"v":[\#(lists)[1]]}]"#, to: "lists.json")
    // The limit is in kilobytes. The feed has 4 MB, and a value for each list would take 125 MB.
    let outcome = try await Program.run(
      .path("/bin/sh"),
      [
        "-c", #"ulimit -d 120000 && exec "$@""#, "sh", Program.path, "topologies", "three-tier", "--format", "swift",
        "--workload", feed,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `a missing feed prints one line with its name and ends with status 64`() async throws {
    let outcome = try await run("--workload", "\(folder.path)/absent.json")
    try expectRefusal(outcome, mentioning: "absent.json")
  }

  @Test func `a unit larger than the batch of a small feed is refused`() async throws {
    let feed = try folder.write(#"[{"id":1},{"id":2}]"#, to: "two.json")
    let outcome = try await run("--workload", feed, "--save-every", "3")
    try expectRefusal(outcome, mentioning: "--save-every 3")
  }

  @Test(arguments: ["file/results", "file", "/proc/results"])
  func `an output folder that cannot be written is refused before the run`(output: String) async throws {
    _ = try folder.write("", to: "file")
    let path = output.hasPrefix("/") ? output : "\(folder.path)/\(output)"
    let outcome = try await Program.run(["run", "--output", path])
    try expectRefusal(outcome, mentioning: "--output \(path)")
    #expect(outcome.errors.first?.contains("cannot be written") == true)
  }

  @Test func `a missing scratch folder is refused`() async throws {
    let outcome = try await run("--scratch", "\(folder.path)/absent")
    try expectRefusal(outcome, mentioning: "\(folder.path)/absent")
  }

  @Test(arguments: [["--rows", "0"], ["--merge", "reset", "--topology", "all-main"], ["--frobnicate"], ["extra"]])
  func `bad usage of run prints one line without a usage text`(arguments: [String]) async throws {
    let outcome = try await Program.run(["run"] + arguments)
    try expectRefusal(outcome, mentioning: arguments[0])
    #expect(outcome.output.isEmpty)
  }

  @Test func `an unknown command is refused`() async throws {
    try expectRefusal(try await Program.run(["walk"]), mentioning: "walk")
  }

  @Test(arguments: [[], ["help"], ["--help"], ["help", "run"], ["workloads", "--help"]])
  func `help is printed if requested and without arguments`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("USAGE: stackbench"))
  }

  @Test func `the version is printed`() async throws {
    let version = try await Program.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    // A given number of trials needs no look at the speed of this computer.
    try await Program.run(["run", "--output", "\(folder.path)/results", "--trials", "1"] + arguments)
  }

  /// Checks that a command ended with one line on standard error and with status 64, and that it left no files.
  private func expectRefusal(
    _ outcome: Program.Outcome, mentioning text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.status == 64, sourceLocation: sourceLocation)
    #expect(outcome.errors.count == 1, sourceLocation: sourceLocation)
    let line = try #require(outcome.errors.first, sourceLocation: sourceLocation)
    #expect(line.hasPrefix("error: ") && line.contains(text), "\(line)", sourceLocation: sourceLocation)
    #expect(folder.contents(of: "results") == nil, sourceLocation: sourceLocation)
  }
}
