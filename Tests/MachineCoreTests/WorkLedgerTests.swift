import Dispatch
import MachineCore
import Testing

@Suite struct WorkLedgerTests {
  @Test func `a new ledger is empty`() {
    let ledger = WorkLedger()
    for kind in Work.Kind.allCases {
      #expect(ledger.count(kind) == 0)
      #expect(WorkRole.allCases.allSatisfy { ledger.bytes(kind, for: $0) == 0 })
    }
  }

  @Test func `the ledger has separate totals for every role and kind`() {
    let ledger = WorkLedger()
    var next = 0
    for role in WorkRole.allCases {
      for kind in Work.Kind.allCases {
        next += 1
        ledger.add(Work(kind, count: next, bytes: next * 1_000), for: role)
      }
    }
    next = 0
    for role in WorkRole.allCases {
      for kind in Work.Kind.allCases {
        next += 1
        #expect(ledger.count(kind, for: role) == next)
        #expect(ledger.bytes(kind, for: role) == next * 1_000)
      }
    }
  }

  @Test func `a count without a role is the sum over both roles`() {
    let ledger = WorkLedger()
    ledger.add(Work(.commit, count: 3), for: .background)
    ledger.add(Work(.commit, count: 4), for: .user)
    ledger.add(Work(.commit), for: .user)
    #expect(ledger.count(.commit) == 8)
  }

  @Test func `concurrent reports are all counted`() {
    let ledger = WorkLedger()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10_000 {
        ledger.add(Work(.pageWritten, count: 1, bytes: 4_096), for: .background)
      }
    }
    #expect(ledger.count(.pageWritten, for: .background) == 40_000)
    #expect(ledger.bytes(.pageWritten, for: .background) == 40_000 * 4_096)
  }
}
