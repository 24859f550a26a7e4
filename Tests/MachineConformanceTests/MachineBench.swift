import MachineCore
import TestSupport

/// A machine with the parts that the tests use.
struct MachineBench: Sendable {
  let machine: any Machine
  let ledger: WorkLedger
  let events: EventRecorder

  var main: any SerialQueue { machine.mainQueue }

  /// Blocks, through the seam, until `condition` holds.
  func wait(until condition: () -> Bool) {
    // A law that is broken must not hang the suite. The test process ends with a message after far more attempts than
    // any load explains.
    for _ in 0..<1_000_000 {
      if condition() { return }
      machine.wait(until: machine.now + .microseconds(100))
    }
    fatalError("What the test waits for never came about.")
  }

  /// Blocks until the given number of threads and blocks are in line for the queue.
  func wait(for count: Int, inLineFor queue: any SerialQueue) {
    wait { waitingCount(at: queue) >= count }
  }

  /// Blocks until the given number of threads are in line for the lock.
  func wait(for count: Int, inLineFor lock: any MachineLock) {
    wait { waitingCount(at: lock) >= count }
  }

  private func waitingCount(at line: AnyObject) -> Int {
    guard let line = line as? any HasLine else { fatalError("\(type(of: line)) does not tell who is in line.") }
    return line.waitingCount
  }

  /// Occupies the queue with a block that runs until the given number of threads and blocks are in line behind it.
  /// Returns when the block runs.
  func occupy(_ queue: any SerialQueue, until count: Int) {
    let isRunning = Journal<Bool>()
    queue.async {
      isRunning.write(true)
      wait(for: count, inLineFor: queue)
    }
    wait { isRunning.count == 1 }
  }

  /// Runs each body on a new queue, all at once, and returns when all have run.
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
