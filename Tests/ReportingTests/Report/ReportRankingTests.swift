import Metrics
import Testing

@testable import Reporting

@Suite struct ReportRankingTests {
  private func leaders(_ result: ReportedResult) -> [String] {
    MadeUpReport.answer(result).advice.ranking.first.map(\.name)
  }

  @Test(arguments: [
    // Hitches are counted in frames of a sixtieth of a second.
    (16_666_667, ["a", "b"]), (16_666_668, ["a"]),
  ])
  func `a difference counts from what matters on`(hitch: Int, names: [String]) {
    #expect(
      leaders(
        MadeUpReport.result(["a", "b"], changing: MadeUpReport.named("b") { $0.hitchTotalNanoseconds = Int64(hitch) }))
        == names)
  }

  @Test func `a difference within the spread of the trials is none`() {
    let hitches: [Int64] = [0, 0, 200_000_000]
    func result(spread: Bool) -> ReportedResult {
      MadeUpReport.result(["a", "b"], trials: 3) { trial in
        let isSecond = trial.identity.topology == "b"
        trial.measures.hitchTotalNanoseconds =
          isSecond ? 100_000_000 : spread ? hitches[trial.identity.trial - 1] : 0
      }
    }
    #expect(leaders(result(spread: false)) == ["a"])
    #expect(leaders(result(spread: true)) == ["a", "b"])
  }

  @Test func `what is felt comes before what is paid`() {
    let result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "a" {
        trial.measures.editResponseNanosecondsP99 = 2_000_000_000
      } else {
        trial.measures.importNanoseconds = 100_000_000_000
      }
    }
    #expect(leaders(result) == ["b"])
  }

  @Test func `a stack that lacks a measure comes behind one that has it`() {
    let result = MadeUpReport.result(
      ["a", "b"],
      changing: MadeUpReport.named("a") {
        $0.stallNanosecondsP99 = nil
        $0.importNanoseconds = 1
      })
    let ranking = MadeUpReport.answer(result).advice.ranking
    #expect(ranking.name == "b")
    #expect(ranking.steps.map(\.criterion.title) == ["total hitch", "stall p99"])
  }
}
