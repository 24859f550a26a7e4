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

  @Test func `the catalogue lists six stacks and their variants`() {
    #expect(
      Topology.known.map(\.title) == [
        "all-main", "worker-merge/notification", "worker-merge/automatic", "worker-merge/reset", "worker-merge/none",
        "child-of-main", "reversed-parent/root", "reversed-parent/child", "reversed-parent/restkit", "three-tier",
        "per-view-controller",
      ])
    #expect(Topology.all.map(\.number) == ["#1", "#2", "#3", "#4", "#5", "#6"])
    #expect(Topology.all.allSatisfy(Topology.known.contains))
  }

  @Test(arguments: Topology.known)
  func `the title of a topology finds the topology`(topology: Topology) {
    #expect(Topology.named(topology.title) == topology)
  }

  @Test(arguments: Topology.all)
  func `an ID without a variant finds the default variant of the catalogue`(topology: Topology) {
    #expect(Topology.named(topology.id) == topology)
  }

  @Test(arguments: ["", "all", "all-main/", "all-main/main", "worker-merge/", "Worker-Merge", "three-tier/root"])
  func `Topology.named(_:) is nil for any other name`(name: String) {
    #expect(Topology.named(name) == nil)
  }

  @Test func `only worker-merge without merges tolerates stale rows`() {
    for topology in Topology.known {
      #expect(topology.tolerates == (topology.title == "worker-merge/none" ? [.staleRows] : []), "\(topology.title)")
    }
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
  @Test func `mergesSaves is true for exactly the stacks that merge into the UI context`() {
    #expect(Topology.known.filter { $0.mergesSaves } == Those.merging)
  }
}
