import Metrics
import Testing

@testable import Reporting

@Suite struct StackJudgementTests {
  private func judgement(
    ratio: Int64 = 0, scrollSpeed: String = "30", hangs: Int64 = 0, stalls: [Int64]? = [], longest: Int64 = 0
  ) -> StackJudgement {
    var result = MadeUpReport.result(["a"]) { trial in
      trial.measures.hitchMicrosecondsPerSecond = ratio
      trial.measures.hangsCount = hangs
      trial.measures.stallNanosecondsMaximum = longest
    }
    result.manifest.flags["scroll-speed"] = scrollSpeed
    result.stalls = stalls.map { [MadeUpReport.stalls(of: "a", $0)] }
    return StackJudgement(result.summaries[0], of: result)
  }

  @Test(arguments: [
    (4_999, "30", HitchBand.good, true, 0), (5_000, "30", .fair, true, 1), (10_000, "30", .fair, true, 1),
    (10_001, "30", .poor, false, 0), (10_000, "0", .good, true, 0), (10_001, "0", .warning, true, 1),
    (25_000, "0", .warning, true, 1), (25_001, "0", .critical, false, 0), (50_001, "0", .immediate, false, 0),
  ])
  func `hitches are held against the band of what moves`(
    ratio: Int, scrollSpeed: String, band: HitchBand, isAcceptable: Bool, warnings: Int
  ) {
    let judgement = judgement(ratio: Int64(ratio), scrollSpeed: scrollSpeed)
    #expect(judgement.band == band)
    #expect(judgement.isAcceptable == isAcceptable)
    #expect(judgement.warnings.count == warnings)
  }

  @Test func `without a screen nothing scrolls`() {
    var result = MadeUpReport.result()
    #expect(result.hitchScale == .scroll)
    result.manifest.flags["view-controllers"] = "0"
    #expect(result.hitchScale == .animation)
  }

  @Test func `an objection names the figure, the band and its limit`() {
    #expect(judgement(ratio: 872_727).objections == ["hitches 872.7 ms/s: poor, above 10 ms/s"])
    #expect(judgement(ratio: 30_000, scrollSpeed: "0").objections == ["hitches 30.00 ms/s: critical, above 25 ms/s"])
    #expect(judgement(ratio: 5_000).warnings == ["hitches 5.000 ms/s: fair, 5 to 10 ms/s"])
  }

  @Test(arguments: [
    // Stalls below 250 ms are no hangs.
    ([100, 249], 0, [], []),
    ([250, 500], 2, [], ["2 hangs of 250 to 500 ms"]),
    ([501], 1, ["1 hang longer than 500 ms"], []),
    ([300, 900, 2_000], 3, ["2 hangs longer than 500 ms"], ["1 hang of 250 to 500 ms"]),
  ])
  func `hangs are told apart at 500 ms`(stalls: [Int], hangs: Int, objections: [String], warnings: [String]) {
    let judgement = judgement(hangs: Int64(hangs), stalls: stalls.map { Int64($0) })
    #expect(judgement.objections == objections)
    #expect(judgement.warnings == warnings)
  }

  @Test func `without stalls the longest wait of a tick tells`() {
    let short = judgement(hangs: 2, stalls: nil, longest: 400_000_000)
    #expect(short.objections.isEmpty && short.warnings == ["2 hangs of 250 to 500 ms"])
    let long = judgement(hangs: 2, stalls: nil, longest: 600_000_000)
    #expect(long.objections == ["2 hangs, the longest above 500 ms"] && long.warnings.isEmpty)
  }
}
