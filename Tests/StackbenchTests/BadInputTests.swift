import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct BadInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    ("empty.json", ""),
    ("truncated.json", #"[{"id":1,"name":"a"},{"id":2,"na"#),
    ("truncated.geojson", #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","#),
    ("truncated.jsonl", "{\"id\":1}\n{\"id\":"),
    ("text.json", "These are not records.\n"),
    ("text.ndjson", "{\"id\":1}\nnot a record\n"),
    ("numbers.json", "[1,2,3]"),
    ("number.json", "7"),
    ("strings.jsonl", "\"a\"\n\"b\"\n"),
    ("none.json", "[]"),
    ("binary.json", "\u{0}\u{1}\u{2}"),
  ])
  func `a damaged feed prints one line with its name and ends with status 64`(name: String, text: String) async throws {
    let feed = try folder.write(text, to: name)
    let outcome = try await run("--workload", feed)
    try expectRefusal(outcome, mentioning: name)
  }

  @Test func `a feed with too many members prints one line and ends with status 64`() async throws {
    let members = (1...1_900).map { "\"m\($0)\":1" }.joined(separator: ",")
    let feed = try folder.write("[{\"id\":1,\(members)}]", to: "wide.json")
    try expectRefusal(
      try await run("--workload", feed),
      mentioning: "wide.json: the feed's records have 1901 different members; use at most 1900")
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

  @Test func `a folder is refused as a feed`() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/folder.json", withIntermediateDirectories: false)
    let outcome = try await run("--workload", "\(folder.path)/folder.json")
    try expectRefusal(outcome, mentioning: "folder.json")
  }

  @Test func `more rows than the keys of a feed allow are refused`() async throws {
    let feed = try folder.write(#"[{"id":9223372036854775807},{"id":1}]"#, to: "two.json")
    let outcome = try await run("--workload", feed, "--rows", "3")
    try expectRefusal(outcome, mentioning: "id has no more numbers; use fewer rows")
  }

  @Test func `a unit larger than the batch of a small feed is refused`() async throws {
    let feed = try folder.write(#"[{"id":1},{"id":2}]"#, to: "two.json")
    let outcome = try await run("--workload", feed, "--save-every", "3")
    try expectRefusal(outcome, mentioning: "--save-every 3")
  }

  @Test func `a property that no entity has is refused`() async throws {
    let outcome = try await run("--rows", "10", "--existing-rows", "0", "--properties-to-fetch", "name,colour")
    try expectRefusal(outcome, mentioning: "--properties-to-fetch colour")
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

  @Test func `batch inserts of a feed with nested objects are refused`() async throws {
    let feed = try folder.write(#"[{"id":1,"home":{"city":"a"}}]"#, to: "linked.json")
    let outcome = try await run("--workload", feed, "--strategy", "batch-insert", "--machine", "simulated")
    try expectRefusal(outcome, mentioning: "batch inserts cannot set relationships such as Record.home")
  }

  @Test func `a model with a composite attribute is refused with its line`() async throws {
    let text = """
      <model><entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
      <attribute name="c" optional="YES" attributeType="Composite"/></entity></model>
      """
    let model = try folder.write(text, to: "contents")
    let outcome = try await run("--model", model, "--machine", "simulated", "--rows", "10")
    try expectRefusal(outcome, mentioning: "contents:2: A.c: the engine has no composite attributes")
  }

  @Test(arguments: [
    ["--rows", "0"], ["--mix", "50:60:10"], ["--save-every", "11", "--batch-size", "10"], ["--topology", "six"],
    ["--merge", "reset", "--topology", "all-main"], ["--frobnicate"], ["extra"],
  ])
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

  @Test func `help and version are printed on standard output`() async throws {
    let help = try await Program.run(["run", "--help"])
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    #expect(help.output.contains("USAGE: stackbench run"))
    let version = try await Program.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(["run", "--output", "\(folder.path)/results"] + arguments)
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
