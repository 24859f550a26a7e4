import InputFiles
import Testing
import Topologies

/// Graphs for Graphviz.
@Suite struct TopologyGraphTests {
  private static func lines(_ topology: Topology) -> [String] {
    TopologyGraph(topology).text.split(separator: "\n").map { String($0.drop(while: \.isWhitespace)) }
  }

  @Test(arguments: Topology.known)
  func `a graph has a node for each context and an arrow to where it saves`(topology: Topology) {
    let lines = Self.lines(topology)
    #expect(lines.first == "digraph \"\(topology.title)\" {" && lines.last == "}")
    for context in topology.contexts {
      #expect(lines.contains { $0.hasPrefix("\"\(context.name)\" [label=\"\(context.name)\\n") })
      let parent = context.parent ?? "the store"
      #expect(lines.contains { $0.hasPrefix("\"\(context.name)\" -> \"\(parent)\" [label=\"  saves") })
    }
  }

  @Test(arguments: Topology.known)
  func `each rule is an arrow, or part of the arrow of the save before it`(topology: Topology) {
    let lines = Self.lines(topology)
    let automatic = topology.contexts.count(where: \.automaticallyMergesChanges)
    let followed = lines.count { $0.contains("[label=\"  saves, then ") }
    #expect(lines.count { $0.contains("style=\"dashed\"") } == topology.rules.count - followed + automatic)
  }

  @Test func `quotes and line breaks of a title are escaped`() {
    var topology = Topology.allMain
    topology.summary = "a \"b\" \\n"
    #expect(TopologyGraph(topology).text.contains(#"label="all-main (#1)\na \"b\" \\n\n ""#))
  }
}
