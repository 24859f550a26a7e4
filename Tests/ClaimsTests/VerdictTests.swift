import Reporting
import Testing

@testable import Experiments

/// Tests of verdicts and of the words for them.
@Suite struct VerdictTests {
  private static let keys = SmallCatalogue.claim(
    "{value: {column: frames_dropped_count, of: all-main, at: {rows: 10}}}")

  private func row(_ keys: String, _ figures: FigureTable) throws -> (ClaimVerdict, text: ClaimText) {
    let catalogue = try SmallCatalogue.catalogue(keys)
    let judged = try ClaimJudge(catalogue, figures: figures).judged(catalogue.claims[0])
    return (judged.verdict, ClaimText(judged: judged, experiment: catalogue.experiments[0]))
  }

  @Test func `a claim holds if all cases fulfil the condition`() throws {
    let (verdict, text) = try row(Self.keys, SmallCatalogue.figures { _, _, _, draw in Int64(draw) })
    #expect(verdict == .holds)
    #expect(text.verdict == "holds")
    #expect(text.figure == "iphone-15-pro: 1 (1 to 2); iphone-6s: 1 (1 to 2)")
    #expect(text.condition == "above 0")
  }

  @Test func `a claim does not hold if no case fulfils the condition`() throws {
    let (verdict, text) = try row(Self.keys, SmallCatalogue.figures { _, _, _, _ in 0 })
    #expect(verdict == .doesNotHold)
    #expect(text.verdict == "does not hold")
  }

  @Test func `a claim depends on the setting whose values disagree`() throws {
    let figures = SmallCatalogue.figures { profile, _, _, _ in profile == "iphone-6s" ? 3 : 0 }
    let (verdict, text) = try row(Self.keys, figures)
    #expect(verdict == .depends)
    #expect(text.verdict == "depends on the profile: holds on 0 of 2 with iphone-15-pro, 2 of 2 with iphone-6s")
  }

  @Test func `on one device, a claim depends on the draws alone`() throws {
    let catalogue = try SmallCatalogue.catalogue(Self.keys).simulated(on: "iphone-6s")
    let figures = SmallCatalogue.figures { _, _, _, draw in draw == 2 ? 1 : 0 }
    let judged = try ClaimJudge(catalogue, figures: figures).judged(#require(catalogue.claims.first))
    let text = ClaimText(judged: judged, experiment: catalogue.experiments[0])
    #expect(text.verdict == "depends on the drawn device: holds on 1 of 2 with iphone-6s")
    #expect(text.share == "1 of 2")
  }

  @Test(arguments: [
    ("{value: {column: frames_dropped_count, of: all-main, at: {rows: 10, profile: iphone-6s}}}", "[]"),
    ("{first: {along: profile, quantity: {column: import_ns, of: all-main, at: {rows: 10}}, where: {above: 0}}}", "[]"),
  ])
  func `a claim that compares devices is left out on one device`(figure: String, over: String) throws {
    let keys = SmallCatalogue.claim(figure, over: over).replacing("over: []\n", with: "")
    #expect(try SmallCatalogue.catalogue(keys).simulated(on: "iphone-6s").claims.isEmpty)
  }

  @Test func `a claim depends on the device if draws of one profile disagree`() throws {
    let (verdict, text) = try row(Self.keys, SmallCatalogue.figures { _, _, _, draw in draw == 2 ? 1 : 0 })
    #expect(verdict == .depends)
    #expect(
      text.verdict
        == "depends on the profile and the drawn device: holds on 1 of 2 with iphone-15-pro, 1 of 2 with iphone-6s")
  }

  @Test func `a changed constant flips a verdict`() throws {
    let figures = SmallCatalogue.figures { _, _, _, _ in 3 }
    let figure = "{value: {column: hitch_total_ns, of: all-main, at: {rows: 10}}}"
    for (threshold, verdict) in [("29.9", ClaimVerdict.holds), ("30", .doesNotHold)] {
      let judged = try SmallCatalogue.judged(
        SmallCatalogue.claim(figure, holdsIf: "{above: \(threshold)}"), figures)
      #expect(judged.verdict == verdict)
    }
  }

  @Test func `a claim without an experiment says why it cannot be decided`() throws {
    let (verdict, text) = try row("undecidable: nothing sends data", FigureTable())
    #expect(verdict == .undecidable(reason: "nothing sends data"))
    #expect(text.verdict == "cannot be decided here: nothing sends data")
    #expect(text.figure == "")
  }

  @Test(arguments: [
    (Condition.Comparison.above, [false, false, true]), (.below, [true, false, false]),
    (.atLeast, [false, true, true]), (.atMost, [true, true, false]), (.equals, [false, true, false]),
  ])
  func `a comparison holds on its side of the threshold`(comparison: Condition.Comparison, expected: [Bool]) {
    let condition = Condition(comparison: comparison, threshold: 2)
    #expect([1, 2, 3].map(condition.holds) == expected)
    #expect(!condition.holds(for: .nan))
  }

  @Test func `a page has the citation, the figure, the verdict and the command of each claim`() throws {
    let catalogue = try SmallCatalogue.catalogue(Self.keys)
    let judged = try ClaimJudge(catalogue, figures: SmallCatalogue.figures { _, _, _, _ in 1 }).judged(
      catalogue.claims[0])
    let text = MarkdownPage(ClaimsPage([judged], of: catalogue, isWhole: true).page, level: 1).text
    #expect(text.hasPrefix("# Claims\n"))
    #expect(text.contains("## A. Author: “A title”, 2015"))
    #expect(
      text.contains(
        "| `it-is-so` | It is so. | simulated with draws | a figure: iphone-15-pro: 1; iphone-6s: 1 | above 0 | holds |"
      ))
    #expect(
      text.contains(
        "- `it-is-so`: `stackbench sweep --vary profile=iphone-15-pro,iphone-6s --vary rows=10,100,1000 "
          + "--topology all-main --topology worker-merge --topology three-tier`"))
  }
}
