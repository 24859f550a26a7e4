import Metrics
import Testing

@Suite struct AdviceTests {
  private static let ratio = AdviceLimit.hitchRatio(microsecondsPerSecond: 5_000)

  private func stack(
    _ name: String, ratio: Int64?, hitch: Int64 = 0, edit: Int64 = 0, heap: Int64 = 0,
    draws: [(hitch: Int64, stall: Int64)] = []
  ) -> AdviceCandidate {
    Candidates.stack(name, hitch: hitch, draws: draws) {
      $0.hitchMicrosecondsPerSecond = ratio
      $0.editResponseNanosecondsMaximum = edit
      $0.heapPeakBytes = heap
    }
  }

  // MARK: The answer

  @Test func `a priority ranks only the stacks that qualify`() {
    let candidates = [
      stack("smooth", ratio: 0, heap: 9_000_000), stack("small", ratio: 5_000, hitch: 50, heap: 6_000_000),
      stack("tiny", ratio: 5_001, hitch: 50, heap: 1_000_000),
    ]
    #expect(Advice(limits: [Self.ratio], priority: .memory, candidates: candidates).advised?.name == "small")
    #expect(Advice(limits: [], priority: .memory, candidates: candidates).advised?.name == "tiny")
    let unnamed = Advice(limits: [Self.ratio], priority: nil, candidates: candidates)
    #expect(unnamed.advised?.name == "smooth")
    #expect(unnamed.rankedBy == .smoothness)
    #expect(unnamed.priority == nil)
  }

  @Test func `stacks that no criterion separates are listed as equal`() {
    let advice = Advice(
      limits: [Self.ratio], priority: nil,
      candidates: [stack("a", ratio: 0), stack("b", ratio: 10), stack("c", ratio: 0, hitch: 90)])
    #expect(advice.advised?.name == "a")
    #expect(advice.equals.map(\.name) == ["b"])
  }

  // MARK: None

  @Test(
    arguments: [
      // The nearest stack has the smallest share of its limit.
      ([(6_000, 0), (9_000, 0)], "0"), ([(9_000, 0), (6_000, 0)], "1"),
      // The worst miss counts: an edit that takes twice as long is worse than half the hitches too many.
      ([(5_000, 200), (7_500, 100)], "1"),
      // The worst miss is equal, and one stack misses one limit less.
      ([(10_000, 200), (10_000, 100)], "1"),
      // The stacks are equal.
      ([(6_000, 0), (6_000, 0)], "0"),
      // A missing measurement is farther from its limit than any value.
      ([(nil, 0), (9_000_000, 0)], "1"),
    ] as [([(Int64?, Int64)], String)])
  func `without a qualifying stack the nearest has the smallest worst miss`(
    values: [(Int64?, Int64)], nearest: String
  ) {
    let candidates = values.enumerated().map { stack("\($0.offset)", ratio: $0.element.0, edit: $0.element.1) }
    let advice = Advice(limits: [Self.ratio, .editResponse(nanoseconds: 100)], priority: nil, candidates: candidates)
    #expect(advice.advised == nil)
    #expect(advice.equals.isEmpty)
    #expect(advice.costs.isEmpty)
    #expect(advice.nearest?.name == nearest)
  }

  // MARK: How sure

  @Test func `draws are counted per stack as qualifying or first, else as empty`() {
    let a = stack("a", ratio: 0, draws: [(0, 0), (4_000, 0), (0, 0), (9_000, 0)])
    let b = stack("b", ratio: 0, draws: [(0, 0), (100, 0), (6_000, 0), (9_000, 0)])
    let advice = Advice(limits: [Self.ratio], priority: nil, candidates: [a, b])
    #expect(advice.drawNumbers == [1, 2, 3, 4])
    #expect(advice.qualifyingDrawCount(of: a) == 3)
    #expect(advice.qualifyingDrawCount(of: b) == 2)
    // Both qualify in the first draw, b in the second, and a alone in the third.
    #expect(advice.firstCounts == [2, 2])
    #expect(advice.emptyDrawCount == 1)
  }

  @Test(arguments: [
    (10, Advice.Sureness.sure), (9, .sure), (8, .likely), (5, .likely), (4, .unsure), (0, .unsure),
  ])
  func `an answer is sure in nine of ten draws and likely in five`(count: Int, sureness: Advice.Sureness) {
    let draws = (0..<10).map { (hitch: Int64($0 < count ? 0 : 9_000), stall: Int64(0)) }
    let advice = Advice(limits: [Self.ratio], priority: nil, candidates: [stack("a", ratio: 0, draws: draws)])
    #expect(advice.sureness == sureness)
    #expect(Advice(limits: [], priority: .memory, candidates: [stack("a", ratio: 0)]).sureness == nil)
  }

  @Test func `only draws with every stack count`() {
    let advice = Advice(
      limits: [], priority: .smoothness,
      candidates: [stack("a", ratio: 0, draws: [(0, 0), (0, 0)]), stack("b", ratio: 0, draws: [(0, 0)])])
    #expect(advice.drawNumbers == [1])
    let none = Advice(limits: [], priority: .smoothness, candidates: [stack("a", ratio: 0)])
    #expect(none.drawNumbers.isEmpty)
    #expect(none.firstCounts == [0])
  }

  // MARK: What it costs

  @Test func `a cost is a measure by which another stack is better beyond the floor`() {
    let advised = Candidates.stack("a") {
      $0.importNanoseconds = 1_000_000_000
      $0.mainBusyNanoseconds = 100_000_000
    }
    let others = [(970, 100), (969, 90), (900, 80), (1_100, 0)].enumerated().map { index, values in
      Candidates.stack("b\(index)", hitch: 500) {
        $0.importNanoseconds = Int64(values.0) * 1_000_000
        $0.mainBusyNanoseconds = Int64(values.1) * 1_000_000
      }
    }
    let advice = Advice(limits: [], priority: .smoothness, candidates: [advised] + others)
    #expect(advice.costs.map(\.primary.measure.name) == ["main_busy_ns", "import_ns"])
    #expect(advice.costs.map(\.best.name) == ["b3", "b2"])
    #expect(advice.costs.map(\.bestValue) == [0, 900_000_000])
    // Three stacks are better by main's time, and two by the import, since 3 % of it is the floor.
    #expect(advice.costs.map(\.othersCount) == [2, 1])
  }

  // MARK: When it flips

  private func variation(_ candidates: AdviceCandidate..., from given: [AdviceCandidate]) -> AdviceVariation {
    let point = AdvicePoint(flag: "batch-size", value: "9", command: "run", candidates: candidates)
    return Advice(limits: [Self.ratio], priority: nil, candidates: given, points: [point]).variations[0]
  }

  @Test
  func `the answer flips if the advised stack is overtaken or disqualified`() {
    let given = [stack("a", ratio: 0), stack("b", ratio: 0, hitch: 90)]
    let same = variation(stack("a", ratio: 9, hitch: 10), stack("b", ratio: 0), from: given)
    #expect(same.kind == .same)
    #expect(same.first == ["a", "b"])

    let overtaken = variation(stack("a", ratio: 9, hitch: 90), stack("b", ratio: 0), from: given)
    #expect(overtaken.kind == .overtaken)
    #expect(overtaken.first == ["b"])
    #expect(overtaken.overtakenBy?.measure.name == "hitch_total_ns")
    #expect(overtaken.missed.isEmpty)

    let disqualified = variation(stack("a", ratio: 5_001), stack("b", ratio: 5_000, hitch: 90), from: given)
    #expect(disqualified.kind == .disqualified)
    #expect(disqualified.first == ["b"])
    #expect(disqualified.missed.map(\.value) == [5_001])
    #expect(disqualified.overtakenBy == nil)

    let nobody = variation(stack("a", ratio: 5_001), stack("b", ratio: 5_001), from: given)
    #expect(nobody.kind == .disqualified)
    #expect(nobody.first.isEmpty)
  }

  @Test func `the answer stays the same if draws did not confirm a lost lead`() {
    let undecided = (0..<10).map { (hitch: Int64($0 * 100), stall: Int64(0)) }
    let given = [
      stack("a", ratio: 0, hitch: 90, draws: undecided), stack("b", ratio: 0, draws: undecided.reversed()),
      stack("c", ratio: 0, hitch: 500),
    ]
    #expect(Advice(limits: [], priority: nil, candidates: given).equals.map(\.name) == ["b"])
    #expect(variation(stack("a", ratio: 0, hitch: 90), stack("b", ratio: 0), from: given).kind == .same)
    #expect(variation(stack("a", ratio: 0, hitch: 90), stack("c", ratio: 0), from: given).kind == .overtaken)
    // If the draws confirm the lead of the advised stack, the loss of this lead is a change.
    let led = [stack("a", ratio: 0), stack("b", ratio: 0, hitch: 90)]
    #expect(variation(stack("a", ratio: 0, hitch: 90), stack("b", ratio: 0), from: led).kind == .overtaken)
  }

  @Test func `the answer flips if a stack qualifies where none did before`() {
    let given = [stack("a", ratio: 9_000)]
    #expect(variation(stack("a", ratio: 9_000), from: given).kind == .same)
    let found = variation(stack("a", ratio: 5_000), from: given)
    #expect(found.kind == .found)
    #expect(found.first == ["a"])
  }
}
