import Harness
import InputFiles
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// Simulated trials whose app is killed while it works.
@Suite struct KilledTrialTests {
  private let bench: TrialBench

  init() throws {
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    bench = try TrialBench(
      WorkloadOptions(workload: .catalog, rows: 1_000, existingRows: 150, batchSize: 50, mix: .standard),
      TrialBench.options(on: profile) { $0.saveEvery = 50 }, on: profile)
  }

  private func isSound(_ record: KilledRecord) -> Bool {
    record.consistent == 1 && record.payloadsDurableCount <= record.payloadsArrivedCount
      && record.payloadsVisibleCount <= record.payloadsArrivedCount
      && record.rowsVisibleLostCount <= record.rowsLostCount
      && record.editsLostCount <= record.editsAcknowledgedCount
      && record.rowsCommittedLostCount == 0 && record.unitsHalfWrittenCount == 0 && record.integrityProblemsCount == 0
  }

  @Test(arguments: Topology.all)
  func `the store of a killed app has only whole units`(topology: Topology) throws {
    for microseconds: Int64 in [15_000, 120_000, 333_300] {
      let record = try bench.kill(topology, at: .microseconds(microseconds)) {
        $0.userEditInterval = .milliseconds(20)
      }
      #expect(isSound(record), "\(record)")
      if topology == .allMain { #expect(record.rowsVisibleLostCount == 0 && record.editsLostCount == 0, "\(record)") }
    }
  }

  @Test(arguments: Topology.all)
  func `an app killed after its last save loses no data`(topology: Topology) throws {
    let record = try bench.kill(topology, at: .seconds(60))
    #expect(isSound(record))
    // The thread that kills the app must be woken first, which takes some time.
    #expect((60_000_000_000..<60_000_100_000).contains(record.killNanoseconds))
    #expect(record.payloadsArrivedCount == 20 && record.payloadsDurableCount == 20)
    #expect(record.rowsLostCount == 0 && record.editsLostCount == 0)
    #expect(record.commitsAcknowledgedCount == 20 + record.editsAcknowledgedCount)
  }

  @Test func `a commit in the journal that is not in the store is found`() throws {
    func killed(adding facts: [AppJournal.Fact]) throws -> KilledRecord {
      try bench.kill(.threeTier, at: .seconds(1), adding: facts) { options in
        options.arrivalInterval = .milliseconds(100)
        options.storeSave = .atEnd
      }
    }
    let plain = try killed(adding: [])
    #expect(isSound(plain) && plain.commitsAcknowledgedCount == 0)
    let planted = try killed(adding: [.committed(payload: 0), .committed(payload: 1), .editCommitted(edit: 0)])
    // A payload has 50 records.
    #expect(planted.commitsAcknowledgedCount == 3 && planted.rowsCommittedLostCount == 101)
    #expect(planted.consistent == 1 && planted.rowsLostCount == plain.rowsLostCount)
  }

  @Test(arguments: ["", "no fact"])
  func `a journal without the death of the app is one sentence`(journal: String) {
    let failure = #expect(throws: Autopsy.Failure.self) {
      try bench.kill(.allMain, at: .milliseconds(15), journal: journal)
    }
    #expect(failure?.description.hasPrefix("its process ended before the instant") == true)
  }

  @Test func `a damaged line of a journal is named`() {
    let error = #expect(throws: AppJournal.DamagedLine.self) {
      try bench.kill(.allMain, at: .milliseconds(15), journal: "no fact\n")
    }
    #expect(error?.description.hasSuffix("journal.jsonl:1: is not a line of a trial's journal") == true)
  }

  @Test(arguments: [Topology.threeTier, .reversedParent(.root)])
  func `saving at the end loses the same shown and edited rows each time`(topology: Topology) throws {
    func killed(_ storeSave: StoreSave) throws -> KilledRecord {
      try bench.kill(topology, at: .seconds(1)) { options in
        options.arrivalInterval = .milliseconds(100)
        options.storeSave = storeSave
      }
    }
    let (atEnd, immediate) = (try killed(.atEnd), try killed(.immediate))
    #expect(try killed(.atEnd) == atEnd)
    #expect(isSound(atEnd) && isSound(immediate))
    #expect(atEnd.payloadsDurableCount == 0)
    #expect(atEnd.editsAcknowledgedCount > 0 && atEnd.editsLostCount > 0)
    // A main context that pushes has shown the rows that are lost. One that merges saves has shown no such rows.
    #expect((atEnd.rowsVisibleLostCount > 0) == (topology == .threeTier))
    #expect(atEnd.rowsLostCount > immediate.rowsLostCount && atEnd.editsLostCount >= immediate.editsLostCount)
  }
}
