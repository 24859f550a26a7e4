import Metrics
import Testing

@Suite struct CauseComparisonTests {
  private func measures(fetch: Int64, busy: Int64, frames: Int64? = nil) -> TrialMeasures {
    var measures = TrialMeasures()
    measures.mainFetchNanoseconds = fetch
    measures.mainBusyNanoseconds = busy
    measures.frameBusyNanoseconds = frames
    return measures
  }

  private func cell(
    _ workload: String, _ topology: String, live: [TrialMeasures], predicted: TrialMeasures
  ) -> ValidationResult.Cell {
    ValidationResult.Cell(workload: workload, topology: topology, live: live, predicted: predicted, tick: 1)
  }

  @Test func `each cause of a cell is compared with the median of the live runs`() throws {
    let comparisons = CauseComparison.comparisons(of: [
      cell(
        "w", "a",
        live: [
          measures(fetch: 90, busy: 200, frames: 7), measures(fetch: 120, busy: 210, frames: 9),
          measures(fetch: 100, busy: 190, frames: 8),
        ], predicted: measures(fetch: 60, busy: 150, frames: 5))
    ])
    let own = comparisons.filter { $0.workload == "w" }
    #expect(own.map(\.cause) == ["fetch", "busy", "frames"])
    #expect(own.map(\.liveNanoseconds) == [100, 200, 8])
    #expect(own.map(\.simulatedNanoseconds) == [60, 150, 5])
    #expect(own.map(\.differenceNanoseconds) == [-40, -50, -3])
    #expect(own.map(\.sharePartsPerMillion) == [-200_000, -250_000, -15_000])
  }

  @Test func `the last comparisons sum all workloads of each stack`() {
    let comparisons = CauseComparison.comparisons(of: [
      cell("v", "a", live: [measures(fetch: 10, busy: 100)], predicted: measures(fetch: 30, busy: 120)),
      cell("v", "b", live: [measures(fetch: 1, busy: 50)], predicted: measures(fetch: 1, busy: 50)),
      cell("w", "a", live: [measures(fetch: 20, busy: 300)], predicted: measures(fetch: 10, busy: 280)),
    ])
    let sums = comparisons.filter { $0.workload == CauseComparison.allWorkloads }
    #expect(comparisons.suffix(sums.count) == sums[...])
    #expect(sums.map(\.topology) == ["a", "a", "b", "b"])
    #expect(sums.map(\.cause) == ["fetch", "busy", "fetch", "busy"])
    #expect(sums.map(\.liveNanoseconds) == [30, 400, 1, 50])
    #expect(sums.map(\.simulatedNanoseconds) == [40, 400, 1, 50])
    #expect(sums[0].sharePartsPerMillion == 25_000)
  }

  @Test func `every label of busy time is a cause`() {
    let columns = Set(CauseComparison.causes.map(\.column))
    for label in TimeLabel.mainBusy { #expect(columns.contains("main_\(label.name)_ns")) }
  }
}
