import Foundation
import TestSupport
import Testing

/// Tests of the file of settings: how it is written, and how commands read it.
@Suite struct InitCommandTests {
  private let folder: TemporaryFolder
  private let note = "note: settings from stackbench.yaml: "

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  private func text() throws -> String {
    try String(contentsOfFile: "\(folder.path)/stackbench.yaml", encoding: .utf8)
  }

  private func writeModel() throws {
    let bundle = folder.url.appendingPathComponent("Shop.xcdatamodel")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: false)
    let model = #"""
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/></entity></model>
      """#
    try Data(model.utf8).write(to: bundle.appendingPathComponent("contents"))
    try folder.write(#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#, to: "items.json")
  }

  @Test func `the written file is what run reads, and the result repeats without it`() async throws {
    try writeModel()
    let written = try await run("init")
    #expect(written.status == 0 && written.errors.isEmpty)
    #expect(
      written.output == """
        stackbench.yaml has these settings:
          model: Shop.xcdatamodel (1 entity)
          workload: items.json (3 records; 1 of 1 members set a property)

        Next: stackbench run --machine simulated

        """)
    let simulated = ["run", "--machine", "simulated", "--draws", "0", "--topology", "all-main"]
    let first = try await Program.run(simulated, in: folder.path)
    #expect(first.status == 0 && first.errors.contains("\(note)model, workload"), "\(first.errors)")
    let flags = ["--model", "Shop.xcdatamodel", "--workload", "items.json", "--no-settings-file", "--output", "other"]
    let second = try await Program.run(simulated + flags, in: folder.path)
    #expect(second.status == 0 && !second.errors.contains { $0.hasPrefix(note) })
    let summaries = try ["Results/latest", "other"].map {
      try String(contentsOfFile: "\(folder.path)/\($0)/summary.csv", encoding: .utf8)
    }
    #expect(summaries[0] == summaries[1])
    let manifest = try String(contentsOfFile: "\(folder.path)/Results/latest/manifest.json", encoding: .utf8)
    #expect(manifest.contains("--model Shop.xcdatamodel") || manifest.contains(#""model" : "Shop.xcdatamodel""#))
  }

  @Test func `an existing file is overwritten only with --force`() async throws {
    try folder.write("rows: 5\n", to: "stackbench.yaml")
    let refused = try await run("init")
    #expect(refused.status == 64 && refused.output.isEmpty)
    #expect(
      refused.errors
        == ["error: stackbench.yaml: exists and would be overwritten; add --force to replace it"])
    #expect(try text() == "rows: 5\n")
    #expect(try await run("init", "--force", "--quiet").output.isEmpty)
    #expect(try text().hasPrefix("# Settings of Stackbench for this folder."))
    #expect(folder.contents(of: ".") == ["stackbench.yaml"])
  }

  @Test func `an empty folder gets a file of comments, which run accepts`() async throws {
    let outcome = try await run("init", ".")
    #expect(outcome.output.hasPrefix("No model, feed, store or stack was found in this folder. "), "\(outcome.output)")
    let explained = try await run("explain", "all-main")
    #expect(explained.status == 0 && explained.errors.isEmpty)
  }

  @Test func `init writes into the folder that it is given, and refuses a file and a missing folder`() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/an app", withIntermediateDirectories: false)
    let outcome = try await run("init", "an app")
    #expect(outcome.output.contains("Next: cd 'an app' && stackbench run --machine simulated"), "\(outcome.output)")
    #expect(folder.contents(of: "an app") == ["stackbench.yaml"])
    #expect(
      try await run("init", "an app/stackbench.yaml").errors == [
        "error: an app/stackbench.yaml: is no folder; use a folder"
      ])
    #expect(try await run("init", "none").errors.map { $0.hasPrefix("error: none: No such file") } == [true])
  }
}

// MARK: - Reading

extension InitCommandTests {
  @Test func `an error of the file ends each command that reads it, and no other`() async throws {
    try folder.write("rows: 5\nrow: 6\n", to: "stackbench.yaml")
    try folder.write(#"[{"id":1},{"id":2}]"#, to: "a.json")
    let reading = [
      ["run"], ["sweep", "--vary", "rows=1,2"], ["advise", "--priority", "smoothness"], ["explain", "all-main"],
      ["compare", "--live", "a", "b"], ["topologies", "all-main", "--format", "swift"],
      ["inspect", "a.json"], ["inspect", "a.json", "--write-map", "map.yaml"],
    ]
    for words in reading {
      let outcome = try await Program.run(words, in: folder.path)
      #expect(outcome.status == 64, "\(words)")
      #expect(outcome.errors.count == 1 && outcome.errors[0].hasPrefix("error: stackbench.yaml:2: row: "), "\(words)")
    }
    for words in [["topologies", "all-main"], ["profiles"], ["workloads"]] {
      #expect(try await Program.run(words, in: folder.path).status == 0, "\(words)")
    }
    #expect(try await run("explain", "all-main", "--no-settings-file").status == 0)
  }

  @Test func `a folder in place of the file is refused, and the environment leaves the file aside`() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/stackbench.yaml", withIntermediateDirectories: false)
    let refused = try await run("explain", "all-main")
    #expect(refused.status == 64)
    #expect(
      refused.errors == [
        "error: stackbench.yaml: cannot be read: it is a folder; use the path of settings in YAML"
      ])
    let outcome = try await Program.run(
      .path("/bin/sh"),
      ["-c", #"cd "$1" && STACKBENCH_NO_SETTINGS_FILE=1 "$2" explain all-main"#, "sh", folder.path, Program.path])
    #expect(outcome.status == 0)
  }

  @Test func `a flag replaces its setting, and --quiet prints no note`() async throws {
    try folder.write("profile: iphone-6s\nschedule-seed: 3\nrows: 900\n", to: "stackbench.yaml")
    let outcome = try await run("explain", "all-main", "--profile", "iphone-15-pro")
    #expect(outcome.errors == ["\(note)schedule-seed"])
    #expect(outcome.output.contains("one payload of 6 records and one edit on iphone-15-pro"))
    let words = ["run", "--machine", "simulated", "--topology", "all-main", "--draws", "0", "--rows", "10"]
    let quiet = try await Program.run(words + ["--quiet"], in: folder.path)
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
  }

  @Test func `a setting that a run refuses is named with its line`() async throws {
    try folder.write("# The device.\nprofile: iphone-6s\n", to: "stackbench.yaml")
    let outcome = try await run("run", "--machine", "live", "--quiet")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: stackbench.yaml:2: --profile iphone-6s: concerns simulated devices only; add --machine simulated"
      ])
  }

  @Test func `a sweep varies a setting of the file and leaves out those that concern no trial`() async throws {
    try folder.write("rows: 10\nbatch-size: 5\ntrace: true\ntopology: all-main\n", to: "stackbench.yaml")
    let outcome = try await run("sweep", "--vary", "batch-size=2,4", "--plan", "plan.jsonl")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == ["\(note)rows, topology"])
    #expect(outcome.output == "plan.jsonl: trials 1 to 2\n")
  }

  @Test func `a map is written for the model of the file`() async throws {
    try writeModel()
    _ = try await run("init", "--quiet")
    let outcome = try await run("inspect", "items.json", "--write-map", "map.yaml", "--format", "json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.first == "\(note)model")
    #expect(try String(contentsOfFile: "\(folder.path)/map.yaml", encoding: .utf8).contains("Shop.xcdatamodel"))
  }

  @Test func `the story of a model names its entities`() async throws {
    try writeModel()
    let outcome = try await run("explain", "three-tier", "--model", "Shop.xcdatamodel", "--workload", "items.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("one payload of 6 records of items.json and one edit on "))
    #expect(outcome.output.contains("INSERT INTO ZITEM"))
  }
}
