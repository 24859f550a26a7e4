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
    #expect(
      Topology.known.map(\.title) == [
        "all-main", "worker-merge/notification", "worker-merge/automatic", "worker-merge/reset", "worker-merge/none",
        "child-of-main", "reversed-parent/root", "reversed-parent/child", "reversed-parent/restkit", "three-tier",
        "per-view-controller", "single-background/main-merges", "single-background/background-merges",
        "pinned-main", "scratch-pad", "master-and-children", "main-on-coordinator", "pooled-children",
        "confinement",
        "two-coordinators", "two-coordinators/processes", "background-fan-out",
      ])
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

  /// The stacks that are expected to show defects.
  private static let tolerances: [String: [Topology.Tolerance]] = [
    "worker-merge/none": [.staleRows], "single-background/background-merges": [.staleRows],
    "pooled-children": [.staleObjects, .outOfOrder],
    "background-fan-out": [.lostEdits, .duplicates, .outOfOrder],
  ]

  @Test(arguments: Topology.known)
  func `a stack tolerates only the defects that it is known for`(topology: Topology) {
    #expect(topology.tolerates == Self.tolerances[topology.title, default: []])
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
