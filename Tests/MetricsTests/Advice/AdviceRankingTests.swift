import Metrics
import Testing

@Suite struct AdviceRankingTests {
  private func first(_ candidates: AdviceCandidate...) -> [String] {
    AdviceRanking(of: candidates, by: .smoothness).first.map(\.name)
  }

  @Test(arguments: [
    // The floor is one frame at 60 a second, which is 16.67 ms.
    (0, 16, ["a", "b"]), (0, 17, ["a"]), (17, 0, ["b"]),
    // The floor is 5 % above 333 ms.
    (1_000, 1_050, ["a", "b"]), (1_000, 1_051, ["a"]), (1_051, 1_000, ["b"]),
  ])
  func `two stacks are equal up to the floor and differ beyond the floor`(left: Int64, right: Int64, names: [String]) {
    #expect(first(Candidates.stack("a", hitch: left), Candidates.stack("b", hitch: right)) == names)
  }

  @Test func `a criterion decides only among stacks that the previous one leaves equal`() {
    let ranking = AdviceRanking(
      of: [
        Candidates.stack("a", hitch: 0, stall: 9), Candidates.stack("b", hitch: 10, stall: 2),
        Candidates.stack("c", hitch: 100, stall: 0),
      ], by: .smoothness)
    #expect(ranking.first.map(\.name) == ["b"])
    #expect(ranking.behind.map(\.candidate.name) == ["c", "a"])
    #expect(ranking.behind.map(\.criterion.measure.name) == ["hitch_total_ns", "stall_ns_p99"])
    // Each stack is compared with the best one at that time, which the next criterion may have removed.
    #expect(ranking.behind.map(\.leader.name) == ["a", "b"])
  }

  @Test(arguments: [
    // The first two numbers are the contexts of a and b, the other two their rules.
    (2, 1, 2, 1, ["a", "b"]), (2, 2, 1, 1, ["b", "a"]), (3, 0, 2, 9, ["b", "a"]), (2, 3, 2, 1, ["b", "a"]),
    (1, 9, 2, 0, ["a", "b"]),
  ])
  func `equal stacks are ordered by contexts, then rules, then position`(
    contexts: Int, rules: Int, otherContexts: Int, otherRules: Int, names: [String]
  ) {
    #expect(
      first(
        Candidates.stack("a", contexts: contexts, rules: rules),
        Candidates.stack("b", contexts: otherContexts, rules: otherRules)) == names)
  }

  @Test(arguments: [(10, ["a"]), (9, ["a"]), (8, ["a", "b"]), (0, ["b", "a"])])
  func `a lead counts if it holds in nine of ten draws`(leads: Int, names: [String]) {
    let draws = (0..<10).map { (hitch: Int64($0 < leads ? 0 : 500), stall: Int64(0)) }
    let others = (0..<10).map { _ in (hitch: Int64(400), stall: Int64(0)) }
    #expect(
      first(Candidates.stack("a", hitch: 0, draws: draws), Candidates.stack("b", hitch: 100, draws: others)) == names)
  }

  @Test func `a draw with equal values counts as no lead`() {
    let draws = (0..<10).map { _ in (hitch: Int64(50), stall: Int64(0)) }
    #expect(
      first(Candidates.stack("a", hitch: 0, draws: draws), Candidates.stack("b", hitch: 100, draws: draws))
        == ["a", "b"])
  }

  @Test func `more draws keep the same stack first`() {
    // The first stack is better in seven draws of eight, and worse in the eighth.
    func stacks(_ count: Int) -> [AdviceCandidate] {
      let draws = (0..<count).map { (hitch: Int64($0 % 8 == 7 ? 300 : 100), stall: Int64(0)) }
      let others = (0..<count).map { (hitch: Int64($0 % 8 == 7 ? 100 : 200), stall: Int64(0)) }
      return [
        Candidates.stack("better", hitch: 100, contexts: 3, draws: draws),
        Candidates.stack("simpler", hitch: 200, contexts: 2, draws: others),
      ]
    }
    let many = AdviceRanking(of: stacks(104), by: .smoothness)
    // The lead is significant with few draws. It is not with many, and the same stack is still chosen.
    #expect(AdviceRanking(of: stacks(4), by: .smoothness).first.map(\.name) == ["better"])
    #expect(many.first.map(\.name) == ["better", "simpler"])
  }

  @Test func `stacks without a measurement rank last and equal each other`() {
    #expect(first(Candidates.stack("a", hitch: nil), Candidates.stack("b", hitch: 9_999)) == ["b"])
    #expect(first(Candidates.stack("a", hitch: nil), Candidates.stack("b", hitch: nil)) == ["a", "b"])
    #expect(first() == [])
  }

  /// The priority by which each stack is the best.
  private static let specialists: [(String, AdvicePriority)] = [
    ("smooth", .smoothness), ("fresh", .freshness), ("durable", .durability), ("quick", .importSpeed),
    ("small", .memory),
  ]

  @Test(arguments: specialists)
  func `each priority ranks the stack first that is best by its criteria`(name: String, priority: AdvicePriority) {
    let candidates = Self.specialists.map { specialist, best in
      Candidates.stack(specialist) { measures in
        for priority in AdvicePriority.allCases {
          for criterion in priority.criteria {
            measures[keyPath: criterion.measure.keyPath] = priority == best ? 0 : 1_000_000_000
          }
        }
      }
    }
    #expect(AdviceRanking(of: candidates, by: priority).first.map(\.name) == [name])
  }

  @Test func `each priority has a different first measure`() {
    let firsts = AdvicePriority.allCases.map { $0.criteria[0].measure.name }
    #expect(Set(firsts).count == firsts.count)
  }
}
