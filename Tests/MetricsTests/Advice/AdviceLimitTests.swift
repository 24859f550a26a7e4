import Metrics
import Testing

@Suite struct AdviceLimitTests {
  @Test(arguments: [
    (0, true), (4_999, true), (5_000, true), (5_001, false), (Int64.max, false), (nil, false),
  ])
  func `a limit is met up to its value and missed without a measurement`(value: Int64?, isMet: Bool) {
    let limit = AdviceLimit.hitchRatio(microsecondsPerSecond: 5_000)
    let stack = Candidates.stack("a") { $0.hitchMicrosecondsPerSecond = value }
    let check = limit.check(stack.measures)
    #expect(check.isMet == isMet)
    #expect(stack.qualifies([limit]) == isMet)
    #expect(check.excess == (isMet ? nil : value.map { $0 - 5_000 }))
  }

  @Test(arguments: [
    (100, 100, 0), (100, 150, 0.5), (100, 300, 2), (100, nil, Double.infinity), (0, 0, 0), (0, 1, Double.infinity),
  ])
  func `a miss is a share of its limit, infinite for a limit of 0`(most: Int64, value: Int64?, share: Double) {
    let stack = Candidates.stack("a") { $0.editResponseNanosecondsMaximum = value }
    #expect(AdviceLimit.editResponse(nanoseconds: most).check(stack.measures).share == share)
  }

  @Test(arguments: [
    (AdviceLimit.hitchRatio(microsecondsPerSecond: 1), "hitch_us_per_s"), (.stall(nanoseconds: 1), "stall_ns_max"),
    (.timeToVisible(nanoseconds: 1), "time_to_visible_ns_max"), (.atRisk(nanoseconds: 1), "at_risk_ns_max"),
    (.importing(nanoseconds: 1), "import_ns"),
    (.editResponse(nanoseconds: 1), "edit_response_ns_max"),
  ])
  func `each limit checks its own column`(limit: AdviceLimit, column: String) {
    #expect(limit.measure.name == column)
  }

  @Test func `a stack that misses one of several limits does not qualify`() {
    let limits: [AdviceLimit] = [.editResponse(nanoseconds: 10), .importing(nanoseconds: 10), .atRisk(nanoseconds: 10)]
    for missed in limits {
      let stack = Candidates.stack("a") { measures in
        for limit in limits { measures[keyPath: limit.measure.keyPath] = limit == missed ? 11 : 10 }
      }
      #expect(!stack.qualifies(limits))
      #expect(stack.checks(limits).filter { !$0.isMet }.map(\.limit) == [missed])
      #expect(stack.qualifies(limits.filter { $0 != missed }))
    }
  }

  @Test(arguments: AdviceLimit.correctness)
  func `a stack with wrong data or lists does not qualify`(limit: AdviceLimit) {
    let wrong = Candidates.stack("a") { $0[keyPath: limit.measure.keyPath] = 1 }
    let slow = Candidates.stack("b", hitch: 9_999)
    let advice = Advice(limits: [], priority: .smoothness, candidates: [wrong, slow])
    #expect(advice.advised?.name == "b")
  }
}
