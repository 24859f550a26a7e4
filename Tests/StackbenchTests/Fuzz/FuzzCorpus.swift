import Foundation
import InputFiles
import MachineCore
import TestSupport
import Topologies
import TrialSupport

/// The valid files that the fuzzer damages, in a folder that is made once.
struct FuzzCorpus: Codable, Sendable {
  let path: String

  /// Makes the files with the program.
  static func make(in path: String, program: String) async throws -> FuzzCorpus {
    let corpus = FuzzCorpus(path: path)
    func write(_ text: String, to name: String) throws {
      let file = URL(fileURLWithPath: "\(path)/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let sizes = [
      "--rows", "24", "--existing-rows", "12", "--batch-size", "12", "--user-edit-interval", "20", "--topology",
      "all-main", "--topology", "worker-merge/automatic", "--quiet",
    ]
    try await run(
      program, ["run", "--machine", "simulated", "--trials", "2", "--draws", "2", "--output", "\(path)/run"] + sizes)
    try await run(
      program, ["sweep", "--vary", "save-every=3,6", "--output", "\(path)/sweep"] + sizes.dropLast(3) + ["--quiet"])
    for name in ["manifest.json", "trials.csv", "summary.csv", "draws.csv"] {
      try write(try String(contentsOfFile: "\(path)/run/\(name)", encoding: .utf8), to: "baseline/saves/\(name)")
    }
    let plan = "draws: 2\nruns:\n  saves: \(sizes.dropLast().joined(separator: " ")) --trials 2\n"
    try write(
      "tolerances:\n  default: 1\n  import_ns: {percent: 2.5, floor: 1000}\n" + plan, to: "baseline/gate.yaml")
    let floors = try Repository.text("Results/baseline/six/floors.csv").split(separator: "\r\n").prefix(20)
    try write(floors.joined(separator: "\r\n"), to: "baseline/saves/floors.csv")
    try write(try Repository.text("Sources/InputFiles/Profiles/Shipped/iphone-12-pro.yaml"), to: "profile.yaml")
    // A damaged file with the ID of a known stack would be refused for its ID alone.
    var topology = Topology.reversedParent(.restkit)
    topology.id = "mine"
    try write(TopologyWriter(topology).text(for: "tests"), to: "topology.yaml")
    try write(try Repository.text("Sources/Validation/Published/Tables/anchor-iphone-6.yaml"), to: "table.yaml")
    try write(try Repository.text("docs/own-claims.yaml"), to: "claims.yaml")
    try write(measurements, to: "measurements.csv")
    for (name, text) in feeds { try write(text, to: name) }
    try write(map, to: "map.yaml")
    try await run(
      program,
      ["run", "--machine", "simulated", "--kill-at", "50", "--trials", "1", "--output", "\(path)/killed"] + sizes)
    try await run(program, ["compare", "\(path)/run", "\(path)/run", "--output", "\(path)/answer"])
    try write(model, to: "App.xcdatamodel/contents")
    try write(settings, to: "stackbench.yaml")
    try write(predicate, to: "predicate.txt")
    let shop = try ShopStore()
    for (name, data) in try shop.bytes() where name == "app.sqlite" {
      try data.write(to: URL(fileURLWithPath: "\(path)/store.sqlite"))
    }
    try write(
      try String(contentsOfFile: "\(shop.folder.path)/Shop.xcdatamodel/contents", encoding: .utf8),
      to: "Shop.xcdatamodel/contents")
    return corpus
  }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    let outcome = try await Program.run(.path(.init(program)), arguments)
    guard outcome.status == 0 else { throw Failure(errors: outcome.errors) }
  }

  struct Failure: Error {
    var errors: [String]
  }

  private static let measurements = """
    scenario,size,cpu_ns,storage_ns,perform,rowWritten,sync,rowWritten_bytes
    "insert, flat",250,600000,4000000,1,250,1,9000
    "insert, flat",500,1100000,4100000,1,500,1,18000
    perform,1000,300000,,1000,0,0,0
    write,100,200000,3000000,0,100,1,3600

    """

  /// A map of `feed.json` with each of its parts.
  static let map = """
    shape: {container: list, path: [], envelope: [], omitted: []}
    records: Person
    entities:
      Person:
        key: id
        attributes:
          name: name
          x: {member: [at, x], type: Decimal}
          when: {member: id, date: seconds}
          origin: {value: import}
          ok: ~
        relationships:
          mate: {member: id, by: number, to: Mate}
        ignore: [ok]
        edit: remark
      Mate: {edit: ~}

    """

  /// A model with each kind of element.
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2">
    <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
      <attribute name="id" attributeType="String" defaultValueString="a" minValueString="1" regularExpressionString="[a-z]+"/>
      <attribute name="price" optional="YES" attributeType="Double" defaultValueString="0.5" usesScalarValueType="YES"/>
      <attribute name="count" attributeType="Integer 16" transient="YES"/>
      <attribute name="made" optional="YES" attributeType="Date" defaultDateTimeInterval="63115200"/>
      <attribute name="scan" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="T"/>
      <attribute name="total" optional="YES" attributeType="Double" derived="YES" derivationExpression="shelf.items.@count"/>
      <attribute name="size" optional="YES" attributeType="Composite" compositeAttributeTypeName="Size"/>
      <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" \
    inverseName="items" inverseEntity="Shelf"/>
      <fetchIndex name="byPrice">
        <fetchIndexElement property="price" type="Binary" order="descending"/>
      </fetchIndex>
      <fetchedProperty name="alike"><fetchRequest name="f" entity="Item" predicateString="id == $FETCH_SOURCE.id"/>
      </fetchedProperty>
      <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo><entry key="note" value="x"/></userInfo>
    </entity>
    <entity name="Shelf" isAbstract="YES">
      <relationship name="items" optional="YES" toMany="YES" minCount="1" maxCount="9" ordered="YES" \
    deletionRule="Cascade" destinationEntity="Item" inverseName="shelf" inverseEntity="Item"/>
    </entity>
    <entity name="Case" parentEntity="Shelf" elementID="old"/>
    <composite name="Size"><attribute name="x" attributeType="Float"/></composite>
    <fetchRequest name="cheap" entity="Item" predicateString="price &lt; 3 AND shelf != nil" fetchLimit="5"/>
    <configuration name="Local"><memberEntity name="Item"/></configuration>
    <elements><element name="Item" positionX="-63" positionY="9" width="128" height="80"/></elements>
    </model>

    """

  private static let settings = """
    workload: catalog
    topology: [three-tier, worker-merge]
    rows: 5000
    save-every: 100
    machine: simulated
    profile: iphone-6s

    """

  private static let predicate = """
    (title BEGINSWITH[cd] %@ OR NOT id IN {"c5", 'c\\u0041'}) AND price BETWEEN {1, 2.5e3 ** 2} AND ANY logs.flag == YES
    AND SUBQUERY(logs, $x, $x.flag == %d).@count > 0 AND shelf.items.@max.price + 3 >= CAST(%f, "NSNumber")
    AND note MATCHES "a.*" AND secret < now() AND TERNARY(price > 1, 2, 3) != %K
    """

  private static let feeds = [
    "feed.json": #"[{"id":1,"name":"Ann","at":{"x":1.5,"y":[1,2,{}]},"ok":true},{"id":2,"name":null,"at":null}]"#,
    "feed.jsonl": "{\"id\":\"a\",\"n\":1}\n{\"id\":\"b\",\"n\":2.5,\"t\":\"\\u00e9\\ud83d\\ude00\"}\n",
    "feed.geojson": """
    {"type":"FeatureCollection","features":[{"type":"Feature","id":3,"properties":{"name":"Ann"},\
    "geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","id":4,"properties":null}]}
    """,
  ]
}

// MARK: - Files

extension FuzzCorpus {
  private static let results = ["manifest.json", "trials.csv", "summary.csv", "draws.csv", "frames.csv", "stalls.csv"]

  /// Returns the files that a reader reads, by their path in the folder of an input.
  func files(of reader: FuzzInput.Reader) -> [String: Data] {
    switch reader {
    case .comparison, .run, .report: return folder("run", Self.results)
    case .gate: return folder("baseline/saves", Self.results.dropLast(2) + ["floors.csv"])
    case .gatePlan: return folder("baseline", ["gate.yaml"])
    case .plan, .sweep: return folder("sweep", ["plan.jsonl"] + (1...2).map { "trial-00000\($0).json" })
    case .profile: return folder("", ["profile.yaml"])
    case .topology: return folder("", ["topology.yaml"])
    case .publishedTable: return folder("", ["table.yaml"])
    case .claims: return folder("", ["claims.yaml"])
    case .measurements: return folder("", ["measurements.csv"])
    case .feed: return folder("", ["feed.json", "feed.jsonl", "feed.geojson"])
    case .map: return folder("", ["map.yaml", "feed.json"])
    case .killed: return folder("killed", ["manifest.json", "killed.csv"])
    case .answer: return folder("answer", ["comparison.txt", "comparison.md", "comparison.json"])
    case .model: return folder("", ["App.xcdatamodel/contents"])
    case .settings: return folder("", ["stackbench.yaml"])
    case .store: return folder("", ["store.sqlite"])
    case .predicate: return folder("", ["predicate.txt"])
    case .flags: return [:]
    }
  }

  private func folder(_ folder: String, _ names: [String]) -> [String: Data] {
    var files: [String: Data] = [:]
    for name in names {
      let file = folder.isEmpty ? name : "\(folder)/\(name)"
      files[file] = FileManager.default.contents(atPath: "\(path)/\(file)")
    }
    return files
  }
}
