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
  func `a topology encodes and decodes to itself, to the same bytes each time`(topology: Topology) throws {
    let data = try Self.encode(topology)
    let decoded = try JSONDecoder().decode(Topology.self, from: data)
    #expect(decoded == topology)
    #expect(try Self.encode(decoded) == data)
    #expect(try Self.encode(topology) == data)
  }

  @Test func `no two topologies have the same bytes`() throws {
    let encoded = try Topology.known.map { try Self.encode($0) }
    #expect(Set(encoded).count == encoded.count)
  }

  @Test func `the six stacks and their variants are known by their titles`() {
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
  func `a title names its topology`(topology: Topology) {
    #expect(Topology.named(topology.title) == topology)
  }

  @Test(arguments: Topology.all)
  func `an ID without a variant means the variant that the catalogue has`(topology: Topology) {
    #expect(Topology.named(topology.id) == topology)
  }

  @Test(arguments: ["", "all", "all-main/", "all-main/main", "worker-merge/", "Worker-Merge", "three-tier/root"])
  func `nothing else names one`(name: String) {
    #expect(Topology.named(name) == nil)
  }

  @Test func `only a stack that is never told tolerates stale rows, and none tolerates anything else`() {
    for topology in Topology.known {
      #expect(topology.tolerates == (topology.title == "worker-merge/none" ? [.staleRows] : []), "\(topology.title)")
    }
  }

  @Test(arguments: Topology.known)
  func `permanent IDs come with the save into the store only`(topology: Topology) {
    #expect(topology.permanentIDs == .never)
  }

  @Test(arguments: Topology.known)
  func `a stack says of each purpose which of its contexts is for it, or how to make one`(topology: Topology) {
    #expect(topology.uses.map(\.purpose) == ContextUse.Purpose.allCases)
    for use in topology.uses {
      let isOwn = topology.contexts.contains { use.context.split { !$0.isLetter }.first == Substring($0.name) }
      #expect(isOwn || use.context.hasPrefix("a new main-queue ") || use.context.hasPrefix("none; "), "\(use.context)")
      #expect(!use.reason.isEmpty && !use.source.isEmpty && !use.reason.hasSuffix("."))
    }
  }

  @Test(arguments: Topology.known)
  func `payloads are parsed on the network queue, but for the stack that has one context`(topology: Topology) {
    #expect(topology.decode == (topology.id == "all-main" ? .import : .network))
  }
  @Test func `whoever merges saves into its UI context says so`() {
    #expect(Topology.known.filter { $0.mergesSaves } == Those.merging)
  }
}
