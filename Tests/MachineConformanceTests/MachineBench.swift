import MachineCore
import TestSupport

/// A machine with what the tests see of it.
struct MachineBench: Sendable {
  let machine: any Machine
  let ledger: WorkLedger
  let events: EventRecorder

  var main: any SerialQueue { machine.mainQueue }

  /// Blocks, through the seam, until `condition` holds.
  func wait(until condition: () -> Bool) {
    // A law that is broken must not hang the suite: far beyond any load, the test process ends with a sentence.
    for _ in 0..<1_000_000 {
      if condition() { return }
      machine.wait(until: machine.now + .microseconds(100))
    }
    fatalError("What the test waits for never came about.")
  }

  /// Blocks until so many are in line for the queue.
  func wait(for count: Int, inLineFor queue: any SerialQueue) {
    wait { waitingCount(at: queue) >= count }
  }

  /// Blocks until so many are in line for the lock.
  func wait(for count: Int, inLineFor lock: any MachineLock) {
    wait { waitingCount(at: lock) >= count }
  }

  private func waitingCount(at line: AnyObject) -> Int {
    guard let line = line as? any HasLine else { fatalError("\(type(of: line)) does not tell who is in line.") }
    return line.waitingCount
  }

  /// Occupies the queue with a block that stays until so many are in line behind it; returns when it runs.
  func occupy(_ queue: any SerialQueue, until count: Int) {
    let isRunning = Journal<Bool>()
    queue.async {
      isRunning.write(true)
      wait(for: count, inLineFor: queue)
    }
    wait { isRunning.count == 1 }
  }

  /// Makes a queue of its own for each body and runs them there, all at once; returns when all have run.
  func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let queues = (0..<count).map { machine.makeSerialQueue(label: "worker \($0)") }
    for (index, queue) in queues.enumerated() {
      queue.async { body(index) }
    }
    for queue in queues {
      queue.sync {}
    }
  }
}
