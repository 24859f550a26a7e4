import Foundation
import TestSupport
import Testing

/// Tests of feeds and maps in files of the user, in the commands that take them.
@Suite(.serialized) struct OwnFeedTests {
  private let folder: TemporaryFolder
  private let feed = #"""
    [{"id":1,"n":5,"brand":{"name":"A"}},{"id":2,"n":6,"brand":{"name":"A"}},{"id":3,"n":7,"brand":{"name":"B"}}]
    """#

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(feed, to: "items.json")
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder.path)
  }

  private func simulate(_ arguments: String..., output: String) async throws -> Program.Outcome {
    let fixed = [
      "run", "--machine", "simulated", "--draws", "0", "--topology", "worker-merge", "--workload", "items.json",
    ]
    return try await Program.run(fixed + arguments + ["--output", output], in: folder.path)
  }

  private func manifest(_ output: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: path("\(output)/manifest.json")))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func summary(_ output: String) throws -> String {
    try String(contentsOfFile: path("\(output)/summary.csv"), encoding: .utf8)
  }

  @Test func `a written map changes nothing, and a changed one is replayed when its file is gone`() async throws {
    let written = try await run("inspect", "items.json", "--write-map", "map.yaml")
    #expect(written.status == 0)
    #expect(
      written.errors == ["The map is in map.yaml. Use it with: stackbench run --workload items.json --map map.yaml"])
    #expect(try await simulate(output: "plain").status == 0)
    #expect(try await simulate("--map", "map.yaml", output: "mapped").status == 0)
    #expect(try summary("plain") == summary("mapped"))
    try folder.write("entities: {Record: {attributes: {n: ~}}}", to: "map.yaml")
    #expect(try await simulate("--map", "map.yaml", output: "changed").status == 0)
    #expect(try summary("plain") != summary("changed"))
    try FileManager.default.removeItem(atPath: path("map.yaml"))
    let replay = try #require(try manifest("changed")["replay"] as? String)
    let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", "cd '\(folder.path)' && \(replay) --output replayed"],
      environment: .inherit.updating(["PATH": "\(programs):/usr/bin:/bin"]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try summary("changed") == summary("replayed"))
  }

  @Test func `inspect shows the references and the ID of a feed, and the map that it writes has them`() async throws {
    try folder.write(#"[{"id":1,"parent_id":2},{"id":2,"parent_id":7},{"id":3,"parent_id":1}]"#, to: "tree.json")
    let outcome = try await run("inspect", "tree.json", "--write-map", "map.yaml", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(found["id_field"] as? String == "id")
    let references = try #require(found["references"] as? [[String: Any]])
    #expect(references.count == 1 && references[0]["member"] as? String == "Record.parent_id")
    #expect(references[0]["dangling"] as? Int == 1 && references[0]["ids"] as? Int == 3)
    let map = try String(contentsOfFile: path("map.yaml"), encoding: .utf8)
    #expect(map.contains("parent: {member: parent_id, by: id, to: Record}  # to-one"), "\(map)")
    let run = [
      "run", "--machine", "simulated", "--draws", "0", "--topology", "worker-merge", "--workload", "tree.json",
    ]
    let plain = try await Program.run(run + ["--output", "a"], in: folder.path)
    #expect(plain.errors.first?.contains("; references: Record.parent_id to Record; stackbench inspect") == true)
    #expect(plain.errors.count == 2 && plain.errors[1].hasPrefix("note: 1 of 3 IDs in Record.parent_id"))
    #expect(try await Program.run(run + ["--map", "map.yaml", "--output", "b"], in: folder.path).status == 0)
    #expect(try summary("a") == summary("b"))
    try folder.write("entities: {Record: {relationships: {parent: ~}}}", to: "off.yaml")
    let off = try await Program.run(run + ["--map", "off.yaml", "--output", "c"], in: folder.path)
    #expect(off.status == 0 && !off.errors.joined().contains("references"), "\(off.errors)")
  }

  private static let model = """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item"><attribute name="id" attributeType="Integer 64"/>
        <attribute name="label" attributeType="String"/></entity>
    </model>
    """

  @Test func `inspect shows the matching with a model, and drafts a map if an import needs more`() async throws {
    try folder.write(Self.model, to: "contents")
    let shown = try await run("inspect", "items.json", "--model", "contents")
    #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
    let problem =
      "no member of the records gives Item.label, which the model requires; give a member or a value in a "
      + "map file"
    #expect(shown.output.contains("Item.id") && shown.output.contains("Item.brand"))
    #expect(shown.output.contains("no member of the records gives Item.label"))
    let written = try await run("inspect", "items.json", "--model", "contents", "--write-map", "map.yaml")
    #expect(written.status == 0 && written.errors.first == "note: \(problem)")
    #expect(written.errors.last?.hasPrefix("A draft of the map is in map.yaml. Complete it.") == true)
    let map = try String(contentsOfFile: path("map.yaml"), encoding: .utf8)
    #expect(map.contains("#   \(problem)\n"))
    try folder.write(map.replacing("      id: id ", with: "      label: [brand, name]\n      id: id "), to: "map2.yaml")
    let outcome = try await simulate("--model", "contents", "--map", "map2.yaml", output: "out")
    #expect(outcome.status == 0, "\(outcome.errors) \(map)")
  }

  @Test func `a map is drafted if no member matches the model`() async throws {
    try folder.write(Self.model, to: "contents")
    try folder.write(#"[{"a":1,"b":"x"}]"#, to: "other.json")
    let written = try await run("inspect", "other.json", "--model", "contents", "--write-map", "map.yaml")
    #expect(written.status == 0, "\(written.errors)")
    let map = try String(contentsOfFile: path("map.yaml"), encoding: .utf8)
    #expect(map.contains("#   no member of the records matches a property of the model: a, b;"))
    try folder.write(
      "records: Item\nentities: {Item: {key: id, attributes: {id: a, label: b}}}", to: "map2.yaml")
    let outcome = try await Program.run(
      [
        "run", "--machine", "simulated", "--draws", "0", "--topology", "worker-merge", "--workload", "other.json",
        "--model", "contents", "--map", "map2.yaml", "--output", "out",
      ], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `an existing file is not overwritten by a map`() async throws {
    try folder.write("mine", to: "map.yaml")
    let outcome = try await run("inspect", "items.json", "--write-map", "map.yaml")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors
        == ["error: --write-map map.yaml: exists and would be overwritten; use the name of a new file"])
    #expect(try String(contentsOfFile: path("map.yaml"), encoding: .utf8) == "mine")
  }

  @Test func `a run prints and keeps its remarks, each in one line`() async throws {
    let outcome = try await simulate(output: "out")
    #expect(outcome.status == 0)
    let line = "inferred: Record (2 attributes, key id), Brand (2 attributes, key contentHash)"
    #expect(outcome.errors == ["note: \(line); stackbench inspect items.json shows all"])
    #expect(try manifest("out")["remarks"] as? [String] == [line])
  }

  @Test func `a mistake in a map is one line with the file, the line and the field`() async throws {
    try folder.write("entities:\n  Record:\n    attributes: {n: m}", to: "map.yaml")
    let outcome = try await simulate("--map", "map.yaml", output: "out")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == ["error: map.yaml:3: entities.Record.attributes.n: no record has the member m; use one of id, n, brand"])
    try folder.write("entity: 1", to: "bad.yaml")
    let bad = try await simulate("--map", "bad.yaml", output: "out")
    #expect(bad.status == 64)
    #expect(
      bad.errors == ["error: --map bad.yaml: line 1: entity: not known; use one of shape, records, entities"])
    let generated = try await run("run", "--workload", "flat", "--map", "map.yaml", "--output", "out")
    #expect(generated.errors.first?.contains("belongs to a feed") == true && generated.status == 64)
  }

  @Test func `a plan of a sweep contains the map`() async throws {
    try folder.write("entities: {Record: {attributes: {n: ~}}}", to: "map.yaml")
    let planned = try await run(
      "sweep", "--vary", "save-every=1,2", "--machine", "simulated", "--topology", "worker-merge", "--workload",
      "items.json", "--batch-size", "2", "--map", "map.yaml", "--plan", "plan.jsonl")
    #expect(planned.status == 0, "\(planned.errors)")
    try FileManager.default.removeItem(atPath: path("map.yaml"))
    let trial = try await run("trial", "--plan", "plan.jsonl", "--index", "1")
    #expect(trial.status == 0, "\(trial.errors)")
  }
}
