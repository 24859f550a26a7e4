import Dispatch
import MachineCore

/// Measures how late the blocks of ticks begin on a main queue without other work, which is the noise of the computer.
struct IdleTicks: Sendable {
  let machine: any Machine
  /// The number of ticks per second.
  let refreshRate: Int

  /// Blocks the caller for a number of seconds, and returns the time by which each tick was late. The array has at
  /// least one element.
  func run(seconds: Int) -> [TimeSpan] {
    let ticks = Ticks(machine: machine, refreshRate: refreshRate, count: max(1, seconds * refreshRate))
    ticks.start()
    return ticks.wait()
  }
}

/// The ticks of one measurement. Each tick posts the next one.
private final class Ticks: Sendable {
  private let machine: any Machine
  private let refreshRate: Int
  private let count: Int
  private let origin: Instant
  private let lateness = Guarded<[TimeSpan]>([])
  private let hasEnded = DispatchSemaphore(value: 0)

  init(machine: any Machine, refreshRate: Int, count: Int) {
    self.machine = machine
    self.refreshRate = refreshRate
    self.count = count
    // The threads need some time to start.
    origin = machine.now + .milliseconds(50)
    lateness.withLock { $0.reserveCapacity(count) }
  }

  func start() {
    post(0)
  }

  func wait() -> [TimeSpan] {
    hasEnded.wait()
    return lateness.withLock { $0 }
  }

  private func post(_ tick: Int) {
    let due = origin + TimeSpan(nanoseconds: Int64(tick) * 1_000_000_000 / Int64(refreshRate))
    machine.mainQueue.async(at: due) { [self] in
      let late = machine.now - due
      lateness.withLock { $0.append(late) }
      if tick + 1 < count {
        post(tick + 1)
      } else {
        hasEnded.signal()
      }
    }
  }
}
