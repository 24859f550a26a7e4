import ContextEngine
import Foundation
import MachineCore
import Metrics
import Topologies
import Verification
import Workloads

/// Checks a trial that is at rest: what its screens show, then the store that it leaves behind.
struct TrialVerifier {
  let machine: any Machine
  let archive: WorkloadArchive
  let topology: Topology

  /// Reads the screens, closes the session, checks the file, and enters what was found into the measures.
  ///
  /// - Returns: what is wrong and not tolerated, as sentences.
  func verify(
    _ session: TrialSession, journal: EditJournal, storePath: String, measures: inout TrialMeasures
  ) throws -> [String] {
    let lists = session.screens.map { screen in machine.mainQueue.sync { rows(of: screen) } }
    try session.close()
    let answer = try archive.answer()
    let checker = StoreChecker(schema: archive.schema)
    var report = try checker.check(
      storeAt: URL(fileURLWithPath: storePath), against: answer, journal: journal,
      history: topology.tolerates.contains(.outOfOrder) ? try archive.history() : nil,
      expectedDigest: checker.digest(of: answer))
    for (screen, rows) in zip(session.screens, lists) {
      let list = ListChecker(
        entity: screen.entity.description.index, schema: archive.schema, answer: answer, journal: journal,
        excused: report.lostEdits)
      report.add(list.compare(rows), screen: "screen \(screen.number)")
    }
    var tolerated = Set(topology.tolerates.compactMap { ToleratedDefect(rawValue: $0.rawValue) })
    let policies = topology.contexts.compactMap(\.mergePolicy) + [session.stack.options.mergePolicy]
    if policies.contains(where: \.losesEdits) { tolerated.insert(.lostEdits) }
    // A merge passes over updated objects that are not realised, as Core Data's does, and a controller then never hears that
    // their sort keys changed: such a row stays where it was. Firing them first lessens that and does not end it: while
    // merges are in line, rows that are ahead of them are read, and a place is searched among rows out of their order.
    if archive.options.workload == .catalogReorder, topology.mergesSaves {
      tolerated.insert(.staleRows)
    }
    measures.storeDigest = report.digest
    measures.verified = report.isVerified(tolerating: tolerated) ? 1 : 0
    measures.duplicatesCount = Int64(report.duplicatesCount)
    measures.lostEditsCount = Int64(report.lostEditsCount)
    measures.staleRowsCount = Int64(report.staleRowsCount)
    return report.complaints(tolerating: tolerated)
  }

  /// The whole list of a screen as its controller has it, read like cells; on the main queue.
  private func rows(of screen: Screen) -> [ListChecker.Row] {
    screen.context.event {
      (screen.rows.map(Array.init) ?? []).map { object in
        // A row whose object is gone has no key left: it is still a row of the list, and one too many.
        let key = RecordKey(FieldValue(object[screen.entity.key])) ?? .string("gone \(object.objectID)")
        return ListChecker.Row(key: key, shown: screen.entity.shown.map { FieldValue(object[$0]) })
      }
    }
  }
}

extension MergePolicy {
  /// Whether an acknowledged edit may be lost: where the store's state wins over it, or where an import that read the row
  /// before the edit writes the whole row back.
  fileprivate var losesEdits: Bool {
    switch self {
    case .error, .objectTrump: false
    case .storeTrump, .overwrite, .rollback: true
    }
  }
}
