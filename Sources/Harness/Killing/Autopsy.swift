import Foundation
import MachineCore
import Metrics
import Workloads

/// A comparison of the facts that an app showed to its user before it died, and of the commits that had returned, with
/// the rows that its store still has.
///
/// It reads files only, so it is the same for a process that died, for a machine that was stopped, and for a trial that
/// a fault of its files has stopped.
package struct Autopsy {
  private let plan: TrialPlan

  /// The failure of a trial whose journal has no death of the app.
  package struct Failure: Error, CustomStringConvertible {
    package let description =
      "its process ended before the instant at which its app was to be killed; if another program or the system killed "
      + "it, run it again"
  }

  /// - Parameter plan: The plan of a trial that was run until it was killed.
  package init(of plan: TrialPlan) {
    self.plan = plan
  }

  /// Reads the journal, recovers the store as the next launch would, and compares it with the workload.
  ///
  /// - Returns: The record, and sentences that say why the store is not consistent.
  /// - Throws: `WorkloadError`, `VerificationError`, an error of reading the journal, or `Failure` if the process ended
  ///   before its app died.
  package func run() throws -> (record: KilledRecord, problems: [String]) {
    let files = Trial.leftFiles(of: plan)
    let facts = try AppJournal.facts(in: files.journal)
    guard case .windowStart(let start) = facts.first, let death = death(in: facts, after: start) else {
      throw Failure()
    }
    let archive = try WorkloadArchive.shared(opening: URL(fileURLWithPath: plan.archive))
    let imported = try imported(archive)
    let prefix = try StorePrefix(ofStoreAt: URL(fileURLWithPath: files.store), against: imported)
    var record = KilledRecord(
      topology: plan.topology.id, variant: plan.topology.variant, trial: plan.trial,
      killNanoseconds: (death - start).nanoseconds)
    let lost = lostRecords(archive, imported: imported, prefix: prefix)
    count(payloadsOf: facts, until: death, lost: lost, &record)
    count(editsOf: facts, prefix: prefix, &record)
    count(commitsOf: facts, lost: lost, prefix: prefix, &record)
    record.unitsHalfWrittenCount = prefix.halfWrittenCount
    record.integrityProblemsCount = prefix.integrityProblemCount
    record.consistent = prefix.problems.isEmpty ? 1 : 0
    return (record, prefix.problems)
  }

  /// Returns the instant of the app's death, or the start for a trial that was not to die but was stopped by a fault.
  private func death(in facts: [AppJournal.Fact], after start: Instant) -> Instant? {
    for case .died(let instant) in facts { return instant }
    return plan.options.isKilled ? nil : start
  }

  /// Returns the workload, divided into units in the same way as `LaneImporter` divides it.
  private func imported(_ archive: WorkloadArchive) throws -> StorePrefix.Import {
    let decoder = PayloadDecoder(schema: archive.schema)
    var existing: [ImportRecord] = []
    for index in archive.existing.indices { existing += try decoder.decode(archive.existingText(index)) }
    var lanes: [[ArraySlice<ImportRecord>]] = Array(repeating: [], count: plan.options.lanes)
    for (index, payload) in archive.payloads.enumerated() {
      let records = try archive.records(of: index, by: decoder)
      var start = 0
      while start < records.count {
        let end = records.endOfUnit(from: start, count: plan.options.saveEvery)
        lanes[payload.lane].append(records[start..<end])
        start = end
      }
    }
    return StorePrefix.Import(
      schema: archive.schema, start: try archive.startingRows(), existing: existing, lanes: lanes)
  }

  /// Returns the number of records of each payload that the store does not have.
  private func lostRecords(
    _ archive: WorkloadArchive, imported: StorePrefix.Import, prefix: StorePrefix
  ) -> [Int] {
    var unitsLeft = prefix.unitCounts
    var next = Array(repeating: 0, count: imported.lanes.count)
    return archive.payloads.map { payload in
      var lost = payload.recordCount
      var remaining = payload.recordCount
      while remaining > 0, next[payload.lane] < imported.lanes[payload.lane].count {
        let count = imported.lanes[payload.lane][next[payload.lane]].count
        next[payload.lane] += 1
        remaining -= count
        if unitsLeft[payload.lane] > 0 {
          unitsLeft[payload.lane] -= 1
          lost -= count
        }
      }
      return max(0, lost)
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
      case .windowStart, .shown, .acknowledged, .committed, .editCommitted, .died, .soaked: break
      }
    }
  }

  /// Counts the acknowledged edits and those that are lost.
  private func count(editsOf facts: [AppJournal.Fact], prefix: StorePrefix, _ record: inout KilledRecord) {
    record.editsAcknowledgedCount = facts.count { if case .acknowledged = $0 { true } else { false } }
    record.editsLostCount = lostEditCount(of: facts, prefix: prefix) { _ in true }
  }

  /// Counts the payloads and edits whose COMMIT had returned, and what the store does not have of them.
  ///
  /// Edits count only if the stack may not overwrite them with an import's older rows, which is no loss of a commit.
  private func count(
    commitsOf facts: [AppJournal.Fact], lost: [Int], prefix: StorePrefix, _ record: inout KilledRecord
  ) {
    var payloads: Set<Int> = []
    var edits: Set<Int> = []
    for fact in facts {
      switch fact {
      case .committed(let payload): payloads.insert(payload)
      case .editCommitted(let edit): edits.insert(edit)
      case .windowStart, .arrived, .shown, .acknowledged, .died, .soaked: break
      }
    }
    record.commitsAcknowledgedCount = payloads.count + edits.count
    record.rowsCommittedLostCount = payloads.reduce(0) { $0 + lost[$1] }
    if !plan.topology.mayLoseEdits(under: plan.options.mergePolicy) {
      record.rowsCommittedLostCount += lostEditCount(of: facts, prefix: prefix) { edits.contains($0) }
    }
  }

  /// Returns the number of rows whose last acknowledged edit, of those that count, is lost because the store has an
  /// earlier one. A later edit that was saved but not acknowledged has overwritten it and does not count as a loss.
  private func lostEditCount(
    of facts: [AppJournal.Fact], prefix: StorePrefix, counting counts: (_ edit: Int) -> Bool
  ) -> Int {
    var last: [RowName: Int] = [:]
    for case .acknowledged(let edit, let entity, let key) in facts where counts(edit) {
      last[RowName(entity: entity, key: key.recordKey)] = edit
    }
    return last.count { name, edit in
      guard let note = prefix.notes[name], let stored = UserEdits.number(ofNote: note) else { return true }
      return stored < edit
    }
  }
}
