import Harness
import MachineCore
import MachineLive
import Metrics
import Testing

@testable import TrialProcesses

@Suite(.serialized) struct SlowedMachineTests {
  /// Blocks shorter than a payment waits for, and longer ones.
  @Test(arguments: [100, 2_000])
  func `a block of the engine takes a tenth more CPU`(microseconds: Int64) {
    let work: (any Machine, () -> Void) -> Void = { _, work in work() }
    #expect(smallestExcess(blocksOf: .microseconds(microseconds), below: 0.15, work) < 0.15)
    #expect(extraShare(blocksOf: .microseconds(microseconds), isSlowed: true, work) > 0.09)
  }

  @Test(arguments: [Activity.frame, .decode])
  func `activities of the app take no extra CPU`(activity: Activity) {
    let excess = smallestExcess(blocksOf: .microseconds(2_000), below: 0.03) { machine, work in
      machine.recorder.during(activity) { work() }
    }
    #expect(excess < 0.03)
  }

  /// Returns the smallest share that a slowed machine adds to the share of a plain one. Other programs make blocks and
  /// calls take longer, so that the first of twenty attempts below a limit counts.
  private func smallestExcess(
    blocksOf length: TimeSpan, below limit: Double, _ run: (any Machine, () -> Void) -> Void
  ) -> Double {
    var smallest = Double.infinity
    for _ in 0..<20 where smallest >= limit {
      let plain = extraShare(blocksOf: length, isSlowed: false, run)
      smallest = min(smallest, extraShare(blocksOf: length, isSlowed: true, run) - plain)
    }
    return smallest
  }

  /// Returns the CPU time that this thread uses outside the blocks, for each second of the blocks. `run` runs the work
  /// of one block.
  private func extraShare(
    blocksOf length: TimeSpan, isSlowed: Bool, _ run: (any Machine, () -> Void) -> Void
  ) -> Double {
    let live = LiveMachine(ledger: WorkLedger())
    defer { live.stop() }
    let machine: any Machine = isSlowed ? SlowedMachine(live) : live
    let queue = machine.makeSerialQueue(label: "engine")
    let total = TimeSpan.microseconds(60_000)
    // The thread's first block begins its account.
    queue.sync {}
    var own = TimeSpan.zero
    let start = ProcessorClock.thread
    for _ in 0..<(total.nanoseconds / length.nanoseconds) {
      queue.sync {
        run(machine) {
          let blockStart = ProcessorClock.thread
          ProcessorClock.spend(length)
          own = own + (ProcessorClock.thread - blockStart)
        }
      }
    }
    let used = ProcessorClock.thread - start
    return Double((used - own).nanoseconds) / Double(own.nanoseconds)
  }
}
