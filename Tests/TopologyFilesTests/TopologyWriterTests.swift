import Testing
import Topologies

@testable import InputFiles

/// Topologies that are written and read again.
@Suite struct TopologyWriterTests {
  private static let all = Topology.known + OwnStacks.texts.compactMap { try? OwnStacks.topology($0) }

  private func read(_ text: String) throws -> Topology {
    try TopologyReader(place: "mine.yaml").topology(from: text)
  }

  @Test(arguments: all)
  func `a printed file reads back to an equal topology`(topology: Topology) throws {
    #expect(try read(TopologyWriter(topology).text(for: "tests")) == topology)
  }

  @Test(arguments: all)
  func `the line of a topology reads back to an equal topology and line`(topology: Topology) throws {
    let line = TopologyWriter(topology).line
    #expect(!line.contains("\n") && !line.contains("--"))
    let again = try read(line)
    #expect(again == topology)
    #expect(TopologyWriter(again).line == line)
  }

  @Test func `all stacks of the tests can be read`() {
    #expect(Self.all.count == Topology.known.count + OwnStacks.texts.count)
    #expect(Set(Self.all.map { TopologyWriter($0).line }).count == Self.all.count)
  }

  @Test(arguments: all)
  func `a printed file explains each key`(topology: Topology) {
    let lines = TopologyWriter(topology).text(for: "tests").split(separator: "\n").map(String.init)
    for key in TopologyKeys.all {
      let place = lines.firstIndex { $0.hasPrefix("\(key.name):") || $0.hasPrefix("# \(key.name):") }
      #expect(place.map { lines[$0 - 1].hasPrefix("# ") } == true, "\(key.name)")
      for inner in key.innerKeys { #expect(lines.contains { $0.hasPrefix("#   \(inner.name): ") }, "\(inner.name)") }
    }
    #expect(lines.allSatisfy { !$0.hasPrefix("#") || $0.count <= 101 })
  }

  @Test(arguments: Topology.known)
  func `the example of each key can be used`(topology: Topology) throws {
    let all = ["id", "variant", "number", "summary", "decode", "permanentIDs"]
    for key in TopologyKeys.all where all.contains(key.name) {
      let text =
        "\(key.name): \(key.example)\n" + Self.smallest.filter { !$0.hasPrefix("\(key.name):") }.joined(separator: "\n")
      #expect(throws: Never.self) { try read(text) }
    }
  }

  private static let smallest = [
    "id: mine", "contexts: [{name: main, queue: main, lifetime: app}]", "uiContext: main", "importContext: main",
  ]

  @Test func `texts with quotes, hyphens and invisible characters round-trip`() throws {
    var topology = try read(Self.smallest.joined(separator: "\n"))
    topology.number = "yes"
    topology.summary = "a \"b\" \\ c -- --d # e: 'f' \u{200b}\u{7}é 😀 , {g}"
    #expect(try read(TopologyWriter(topology).text(for: "tests")) == topology)
    #expect(try read(TopologyWriter(topology).line) == topology)
  }

  @Test func `a file with the required keys alone has the standard values`() throws {
    let topology = try OwnStacks.topology(Self.smallest.dropFirst().joined(separator: "\n"))
    #expect(
      topology
        == Topology(
          id: "mine", number: "own", summary: "a stack that a file describes",
          contexts: [ContextDescription(name: "main", queue: .main, lifetime: .app)], uiContext: "main",
          importContext: "main"))
  }

  @Test func `empty lists are accepted where a list may be left out`() throws {
    let text = Self.smallest.joined(separator: "\n") + "\nrules: []\ntolerates: []\nuses: []"
    #expect(try read(text) == read(Self.smallest.joined(separator: "\n")))
  }
}
