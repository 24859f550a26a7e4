import MachineCore
import Metrics
import Testing

@Suite struct YardstickPairTests {
  @Test func `the yardstick of a trial is the mean of its two readings`() throws {
    let pair = try #require(YardstickPair(before: .milliseconds(10), after: .milliseconds(11)))
    #expect(pair.meanNanoseconds == 10_500_000)
    #expect(pair.differencePartsPerMillion == 95_238)
    #expect(pair.isSteady)
    #expect(YardstickPair(before: .milliseconds(10), after: nil) == nil)
    #expect(YardstickPair(before: nil, after: .milliseconds(10)) == nil)
  }

  @Test func `a trial is unsteady if its yardsticks differ by more than 10 %`() {
    #expect(YardstickPair(beforeNanoseconds: 95_000, afterNanoseconds: 105_000).isSteady)
    #expect(!YardstickPair(beforeNanoseconds: 94_999, afterNanoseconds: 105_001).isSteady)
    #expect(!YardstickPair(beforeNanoseconds: 105_001, afterNanoseconds: 94_999).isSteady)
  }

  @Test func `drift reports the range of yardsticks and the largest change within a trial`() throws {
    let drift = try #require(
      YardstickDrift(of: [
        YardstickPair(beforeNanoseconds: 100, afterNanoseconds: 100),
        YardstickPair(beforeNanoseconds: 180, afterNanoseconds: 220),
        YardstickPair(beforeNanoseconds: 120, afterNanoseconds: 120),
        YardstickPair(beforeNanoseconds: 110, afterNanoseconds: 110),
      ]))
    #expect(drift.trialCount == 4)
    #expect(drift.leastNanoseconds == 100 && drift.medianNanoseconds == 110 && drift.greatestNanoseconds == 200)
    #expect(drift.largestDifferencePartsPerMillion == 200_000)
    #expect(drift.unsteadyTrialCount == 1)
    #expect(YardstickDrift(of: []) == nil)
  }

  @Test func `scaling to a yardstick changes CPU times and keeps waits and counts`() {
    var measures = TrialMeasures()
    for measure in Measure.all { measures[keyPath: measure.keyPath] = 1_000 }
    measures.yardstickNanoseconds = 2_000_000
    let scaled = measures.atYardstick(1_500_000)
    for name in ["import_ns", "main_busy_ns", "main_cpu_ns", "main_fetch_ns", "main_other_ns"] {
      #expect(scaled[name] == 750, "\(name)")
    }
    for name in ["main_wait_ns", "stall_ns_p99", "window_ns", "frame_busy_ns", "rows_written_count"] {
      #expect(scaled[name] == 1_000, "\(name)")
    }
    measures.yardstickNanoseconds = nil
    #expect(measures.atYardstick(1_500_000) == measures)
  }

  @Test func `an import slowed by 10 % measures 10 % slower at a common yardstick`() throws {
    func measures(importTime: Int64, yardstick: Int64) -> TrialMeasures {
      var measures = TrialMeasures()
      measures.importNanoseconds = importTime
      measures.yardstickNanoseconds = yardstick
      return measures
    }
    // The second ran while the computer was a fifth slower.
    let before = measures(importTime: 1_000_000, yardstick: 10_000_000).atYardstick(11_000_000)
    let after = measures(importTime: 1_320_000, yardstick: 12_000_000).atYardstick(11_000_000)
    #expect(before.importNanoseconds == 1_100_000 && after.importNanoseconds == 1_210_000)
  }
}
