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
    let share = extraShare(blocksOf: .microseconds(microseconds)) { _, work in work() }
    // Calls cost something too, the more the shorter the blocks are.
    #expect(share > 0.09 && share < 0.15)
  }

  @Test(arguments: [Activity.frame, .decode])
  func `activities of the app take no extra CPU`(activity: Activity) {
    let share = extraShare(blocksOf: .microseconds(2_000)) { machine, work in
      machine.recorder.during(activity) { work() }
    }
    #expect(share < 0.03)
  }

  /// How much CPU this thread uses beside that of the blocks, for each second of theirs; `run` runs the work of one.
  private func extraShare(blocksOf length: TimeSpan, _ run: (SlowedMachine, () -> Void) -> Void) -> Double {
    let live = LiveMachine(ledger: WorkLedger())
    defer { live.stop() }
    let machine = SlowedMachine(live)
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
