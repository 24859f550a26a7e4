import TestSupport
import Testing
import Topologies

/// The order of the events of one payload and of one edit, which follows from the description of each stack.
@Suite struct EventOrderTests {
  /// The changes of a block and the events that they cause.
  private struct Changes {
    /// The counts of the changes in the notifications of contexts.
    var counts: String
    /// The counts of the changes in the notification of a UI context that has merged them.
    var merged: String
    /// True if rows are inserted: their keys take a transaction, and their IDs are temporary until then.
    var insertsRows: Bool
    /// True if the changes are those of a payload and not of an edit.
    var isImport: Bool

    /// Returns the events from the changes in a context to the last merge of its save.
    func events(in name: String, of topology: Topology) -> [String] {
      let chain = topology.chain(from: name)
      var events = ["\(name) did-change, own" + counts]
      for (context, parent) in zip(chain, chain.dropFirst()) {
        events.append("\(parent.name) did-change, push from \(context.name)" + counts)
        events.append("\(context.name) did-save" + (insertsRows ? ", temporary" : ""))
      }
      guard let writer = chain.last else { return events }
      let commit = writer.queue == .main ? "COMMIT on main" : "COMMIT"
      events += Array(repeating: commit, count: insertsRows ? 2 : 1)
      events.append("\(writer.name) did-save" + (insertsRows ? ", permanent" : ""))
      // A context from which everything in the save came does not merge it.
      let others = Set(topology.contexts.map(\.name)).subtracting(chain.map(\.name))
      for rule in topology.rules {
        switch (rule.trigger, rule.action) {
        case (.didSave(writer.name), .merge(let target)) where others.contains(target):
          events.append("merge of \(writer.name) posted")
          events += merge(target, "\(target) merge", of: topology)
        case (.remoteChange, .merge(let target)) where isImport:
          events.append("remote merge into \(target) posted")
          events += merge(target, "remote merge into \(target)", of: topology)
        case (.payloadImported, _) where isImport:
          events += ["refetch of [0]", "\(topology.uiContext) did-change, reset"]
        default: break
        }
      }
      for context in topology.contexts where context.automaticallyMergesChanges && others.contains(context.name) {
        events.append("\(context.name) merge posted")
        events += merge(context.name, "\(context.name) merge", of: topology)
      }
      return events
    }

    /// Returns the events of a merge. Only the UI context has objects that change.
    private func merge(_ target: String, _ title: String, of topology: Topology) -> [String] {
      let change = target == topology.uiContext ? ["\(target) did-change, merge" + merged] : []
      return ["\(title) begun"] + change + ["\(title) ended"]
    }
  }

  /// A payload of one unit, which makes one product and changes one that the screen shows.
  private static let payload = Changes(
    counts: ", 1 inserted, 1 updated", merged: ", 1 inserted, 1 refreshed", insertsRows: true, isImport: true)
  /// An edit of a product that the screen shows.
  private static let edit = Changes(
    counts: ", 1 updated", merged: ", 1 refreshed", insertsRows: false, isImport: false)

  @Test(arguments: Topology.known)
  func `a payload causes events in the order of its stack`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    // The first product of the list is realised in the UI context, as a visible row is.
    let shown = try #require((0..<20).min { Product.name(of: $0) < Product.name(of: $1) })
    let events = bench.events.entries { bench.importPayload([[.insert(100), .update(shown, weight: 5)]]) }
    let expected = Self.payload.events(in: topology.importContext, of: topology)
    #expect(topology.mergesSaves == events.contains { $0.hasPrefix("\(topology.uiContext) did-change, merge") })
    guard !topology.otherCoordinators.isEmpty else { return #expect(events == expected) }
    // The events of different coordinators have no defined order.
    for isMain in [true, false] {
      #expect(events.filter { $0.contains("main") == isMain } == expected.filter { $0.contains("main") == isMain })
    }
  }

  @Test(arguments: Topology.known)
  func `an edit causes events in the order of its stack`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    let events = try bench.events.entries {
      try bench.edit(3, note: "edited")
      bench.settle()
    }
    #expect(events == Self.edit.events(in: topology.editContext ?? topology.uiContext, of: topology))
  }

  @Test(arguments: Topology.known)
  func `the UI context has no changes after the save of an edit`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.edit(3, note: "edited")
    #expect(!bench.uiContext().isDirty)
    bench.settle()
  }
}
