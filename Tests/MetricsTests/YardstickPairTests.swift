import MachineCore
import Metrics
import Testing

@Suite struct YardstickPairTests {
  @Test func `a trial's yardstick is the mean of the two around it`() throws {
    let pair = try #require(YardstickPair(before: .milliseconds(10), after: .milliseconds(11)))
    #expect(pair.meanNanoseconds == 10_500_000)
    #expect(pair.differencePartsPerMillion == 95_238)
    #expect(pair.isSteady)
    #expect(YardstickPair(before: .milliseconds(10), after: nil) == nil)
    #expect(YardstickPair(before: nil, after: .milliseconds(10)) == nil)
  }

  @Test func `a trial is unsteady where its yardsticks differ by more than 10 % of their mean, either way`() {
    #expect(YardstickPair(beforeNanoseconds: 95_000, afterNanoseconds: 105_000).isSteady)
    #expect(!YardstickPair(beforeNanoseconds: 94_999, afterNanoseconds: 105_001).isSteady)
    #expect(!YardstickPair(beforeNanoseconds: 105_001, afterNanoseconds: 94_999).isSteady)
  }

  @Test func `the drift of a run is the range of its yardsticks and the largest change within a trial`() throws {
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
    #expect(YardstickDrift(of: []) == nil)
  }
}
