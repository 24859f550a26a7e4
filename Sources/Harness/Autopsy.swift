import Foundation
import MachineCore
import Metrics
import Verification
import Workloads

/// Tells what a crash cost: holds what the app had told its user against what the store still has.
///
/// Looks at files only, so that it is the same whether the process died or a machine was stopped.
package struct Autopsy {
  private let plan: TrialPlan

  /// - Parameter plan: of a trial that was run until it was killed.
  package init(of plan: TrialPlan) {
    self.plan = plan
  }

  /// Reads the journal, recovers the store as the next launch would, and compares it with the workload.
  ///
  /// - Returns: the record, and why the store is not consistent as sentences.
  /// - Throws: `WorkloadError`, `VerificationError`; what a journal throws that cannot be read.
  package func run() throws -> (record: KilledRecord, problems: [String]) {
    let files = Trial.leftFiles(of: plan)
    let facts = try AppJournal.facts(in: files.journal)
    guard case .windowStart(let start) = facts.first, let death = death(in: facts) else {
      throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: files.journal])
    }
    let archive = try WorkloadArchive(opening: URL(fileURLWithPath: plan.archive))
    let prefix = try StorePrefix(ofStoreAt: URL(fileURLWithPath: files.store), against: try imported(archive))
    var record = KilledRecord(
      topology: plan.topology.id, variant: plan.topology.variant, trial: plan.trial,
      killNanoseconds: (death - start).nanoseconds)
    count(payloadsOf: facts, until: death, lost: lostRecords(archive, prefix), &record)
    count(editsOf: facts, prefix, &record)
    record.consistent = prefix.problems.isEmpty ? 1 : 0
    return (record, prefix.problems)
  }

  private func death(in facts: [AppJournal.Fact]) -> Instant? {
    for case .died(let instant) in facts { return instant }
    return nil
  }

  /// The workload, cut into units as `LaneImporter` cuts it.
  private func imported(_ archive: WorkloadArchive) throws -> StorePrefix.Import {
    let decoder = PayloadDecoder(schema: archive.schema)
    var existing: [ImportRecord] = []
    for index in archive.existing.indices { existing += try decoder.decode(archive.existingText(index)) }
    var lanes: [[ArraySlice<ImportRecord>]] = Array(repeating: [], count: plan.options.lanes)
    for (index, payload) in archive.payloads.enumerated() {
      let records = try decoder.decode(archive.payload(index))
      for start in stride(from: 0, to: records.count, by: plan.options.saveEvery) {
        lanes[payload.lane].append(records[start..<min(start + plan.options.saveEvery, records.count)])
      }
    }
    return StorePrefix.Import(schema: archive.schema, existing: existing, lanes: lanes)
  }

  /// How many records of each payload the store does not hold.
  private func lostRecords(_ archive: WorkloadArchive, _ prefix: StorePrefix) -> [Int] {
    var unitsLeft = prefix.unitCounts
    return archive.payloads.map { payload in
      let units = (payload.recordCount + plan.options.saveEvery - 1) / plan.options.saveEvery
      let held = min(units, unitsLeft[payload.lane])
      unitsLeft[payload.lane] -= held
      return max(0, payload.recordCount - held * plan.options.saveEvery)
    }
  }

  private func count(
    payloadsOf facts: [AppJournal.Fact], until death: Instant, lost: [Int], _ record: inout KilledRecord
  ) {
    for fact in facts {
      switch fact {
      case .arrived(let payload):
        record.payloadsArrivedCount += 1
        record.payloadsDurableCount += lost[payload] == 0 ? 1 : 0
        record.rowsLostCount += lost[payload]
      case .shown(let payload, let instant) where instant <= death:
        record.payloadsVisibleCount += 1
        record.payloadsVisibleLostCount += lost[payload] == 0 ? 0 : 1
        record.rowsVisibleLostCount += lost[payload]
      case .windowStart, .shown, .acknowledged, .died: break
      }
    }
  }

  /// Of each row the last acknowledged edit counts; a later one that was saved and not acknowledged has overwritten it.
  private func count(editsOf facts: [AppJournal.Fact], _ prefix: StorePrefix, _ record: inout KilledRecord) {
    var last: [RowName: Int] = [:]
    for case .acknowledged(let edit, let entity, let key) in facts {
      record.editsAcknowledgedCount += 1
      last[RowName(entity: entity, key: key.recordKey)] = edit
    }
    record.editsLostCount = last.count { name, edit in
      guard let note = prefix.notes[name], let stored = UserEdits.number(ofNote: note) else { return true }
      return stored < edit
    }
  }
}
