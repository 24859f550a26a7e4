import Foundation
import Testing
import Topologies

/// Topologies as values: names, files, documented defects.
@Suite struct TopologyValueTests {
  private static func encode(_ topology: Topology) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(topology)
  }

  @Test(arguments: Topology.known)
  func `a topology round-trips through JSON with the same bytes`(topology: Topology) throws {
    let data = try Self.encode(topology)
    let decoded = try JSONDecoder().decode(Topology.self, from: data)
    #expect(decoded == topology)
    #expect(try Self.encode(decoded) == data)
    #expect(try Self.encode(topology) == data)
  }

  @Test func `every topology has different bytes`() throws {
    let encoded = try Topology.known.map { try Self.encode($0) }
    #expect(Set(encoded).count == encoded.count)
  }

  @Test func `the catalogue lists six stacks, their relatives, and the variants of both`() {
    #expect(Set(Topology.known.map(\.title)).count == Topology.known.count)
    #expect(Topology.all.map(\.number) == ["#1", "#2", "#3", "#4", "#5", "#6"])
    #expect((Topology.all + Topology.relatives).allSatisfy(Topology.known.contains))
    #expect(Topology.relatives.allSatisfy { Topology.named($0.id) == $0 && $0.isRelative })
    #expect(Topology.all.filter(\.isRelative).isEmpty)
  }

  @Test(arguments: Topology.known)
  func `the title of a topology finds the topology`(topology: Topology) {
    #expect(Topology.named(topology.title) == topology)
  }

  @Test(arguments: Topology.all + Topology.relatives)
  func `an ID without a variant finds the default variant of the catalogue`(topology: Topology) {
    #expect(Topology.named(topology.id) == topology)
  }

  @Test(arguments: ["", "all", "all-main/", "all-main/main", "worker-merge/", "Worker-Merge", "three-tier/root"])
  func `Topology.named(_:) is nil for any other name`(name: String) {
    #expect(Topology.named(name) == nil)
  }

  @Test(arguments: Topology.known)
  func `no topology obtains permanent IDs before a save`(topology: Topology) {
    #expect(topology.permanentIDs == .never)
  }

  @Test(arguments: Topology.known)
  func `a stack names a context, or how to make one, for each purpose`(topology: Topology) {
    #expect(topology.uses.map(\.purpose) == ContextUse.Purpose.allCases)
    for use in topology.uses {
      let isOwn = topology.contexts.contains { use.context.split { !$0.isLetter }.first == Substring($0.name) }
      #expect(isOwn || use.context.hasPrefix("a new main-queue ") || use.context.hasPrefix("none; "), "\(use.context)")
      #expect(!use.reason.isEmpty && !use.source.isEmpty && !use.reason.hasSuffix("."))
    }
  }

  @Test(arguments: Topology.known)
  func `payloads are decoded on the network queue except in all-main`(topology: Topology) {
    #expect(topology.decode == (topology.id == "all-main" ? .import : .network))
  }
}
