import Metrics
import Testing

@Suite struct DrawBandsTests {
  private func record(_ topology: String, _ hitch: Int64?, draw: Int? = nil) -> TrialRecord {
    var measures = TrialMeasures()
    measures.hitchTotalNanoseconds = hitch
    return TrialRecord(
      identity: TrialIdentity(
        topology: topology, workload: "flat", rows: 1, seed: 1, trial: 1, startedNanoseconds: 0),
      measures: measures,
      simulation: SimulationFigures(
        fingerprint: "", draw: draw, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0))
  }

  /// Returns the bands of stacks a, b, … for their values, and for the values in each draw.
  private func bands(_ values: [Int64?], draws: [[Int64?]]) -> DrawBands {
    let names = values.indices.map { String(UnicodeScalar(UInt8(97 + $0))) }
    let records = draws.enumerated().flatMap { number, draw in
      zip(names, draw).map { record($0, $1, draw: number + 1) }
    }
    return DrawBands(
      of: records, values: Summary.summaries(of: zip(names, values).map { record($0, $1) }),
      by: [\.hitchTotalNanoseconds, \.mainWaitNanoseconds])
  }

  @Test func `a band spans the 5th to the 95th percentile by nearest rank`() {
    let found = bands([0], draws: (1...20).reversed().map { [Int64($0) * 10] })
    #expect(found.measures[0].bands == [.init(low: 10, high: 190)])
    let few = bands([0], draws: [[30], [10], [20]])
    #expect(few.measures[0].bands == [.init(low: 10, high: 30)])
  }

  @Test func `a band covers the draws and excludes the profile's own values`() {
    #expect(bands([1_000], draws: [[1], [2]]).measures[0].bands == [.init(low: 1, high: 2)])
  }

  @Test func `a ranking holds in draws that order every pair like the profile`() {
    let found = bands([10, 20, 30], draws: [[1, 2, 3], [100, 101, 102], [1, 3, 2], [3, 2, 1]])
    #expect(found.drawCount == 4)
    #expect(found.names == ["a", "b", "c"])
    #expect(found.measures[0].holdingCount == 2)
  }

  @Test func `a broken tie or a new tie changes the ranking`() {
    let tied = bands([0, 0, 5], draws: [[0, 0, 9], [7, 7, 8], [0, 1, 9], [1, 0, 9]])
    #expect(tied.measures[0].holdingCount == 2)
    let apart = bands([1, 2], draws: [[4, 4], [4, 5]])
    #expect(apart.measures[0].holdingCount == 1)
  }

  @Test func `a stack that was not measured ranks last`() {
    let found = bands([nil, 2], draws: [[nil, 7], [9, 7], [1, 7], [nil, nil]])
    #expect(found.measures[0].holdingCount == 2)
    #expect(found.measures[0].bands == [.init(low: 1, high: 9), .init(low: 7, high: 7)])
  }

  @Test func `bands and rankings are nil without measurements, rankings also for one stack`() {
    let found = bands([1, 2], draws: [[1, 2]])
    #expect(found.measures[1].bands == [nil, nil])
    #expect(found.measures[1].holdingCount == nil)
    #expect(bands([1], draws: [[1]]).measures[0].holdingCount == nil)
  }

  @Test func `a draw without every stack counts for bands but not for rankings`() {
    let found = bands([1, 2], draws: [[1, 2], [5]])
    #expect(found.drawCount == 1)
    #expect(found.measures[0].holdingCount == 1)
    #expect(found.measures[0].bands[0] == .init(low: 1, high: 5))
  }
}
