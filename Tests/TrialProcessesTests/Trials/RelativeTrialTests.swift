import Harness
import MachineCore
import Metrics
import Testing

/// Tests that compare simulated trials of relatives with those of the six.
@Suite struct RelativeTrialTests {
  private func measures(
    _ topology: String, _ configure: (inout RunOptions) -> Void = { _ in }
  ) throws -> TrialMeasures {
    let trial = try TracedTrial(topology, isTraced: false, rows: 1_000, configure: configure)
    #expect(trial.record.measures.verified == 1)
    return trial.record.measures
  }

  @Test func `payloads at the same time leave duplicates and conflicts, which one background context avoids`() throws {
    let (atOnce, inTurn) = (try measures("background-fan-out"), try measures("single-background"))
    #expect(try #require(atOnce.duplicatesCount) > 0)
    #expect(try #require(atOnce.conflictsCount) > 0)
    #expect(inTurn.duplicatesCount == 0)
    #expect(try measures("single-background") { $0.userEditInterval = .zero }.conflictsCount == 0)
  }

  @Test func `confined contexts are as fast as contexts with queues`() throws {
    let (confined, queued) = (try measures("confinement"), try measures("worker-merge/notification"))
    for column in ["import_ns", "main_busy_ns", "window_ns", "frame_busy_ns"] {
      let (own, other) = (Double(try #require(confined[column])), Double(try #require(queued[column])))
      #expect(abs(own - other) <= other * 0.02, "\(column): \(own) and \(other)")
    }
    #expect(confined.sqlStatementsCount == queued.sqlStatementsCount)
  }

  @Test func `two coordinators contend for the file, and one coordinator does not`() throws {
    let busy = try ["two-coordinators", "worker-merge/notification"].map { topology in
      try #require(
        TracedTrial(topology, isTraced: false, rows: 3_000) { $0.userEditInterval = .milliseconds(10) }
          .record.measures.busyRetriesCount)
    }
    #expect(busy[0] > 0 && busy[1] == 0, "\(busy)")
  }
}
