import MachineCore
import TestSupport

/// An observer that keeps the waits of the main thread, and counts its blocks.
final class MainThreadRecorder: MainThreadObserver {
  typealias Hook = @Sendable (_ label: String) -> Void

  /// The queues and locks that the main thread parked for.
  let waits = Journal<String>()
  private let state = Guarded(State())

  private struct State: Sendable {
    var blockCount = 0
    var onWait: Hook?
    var onBlockEnd: (@Sendable () -> Void)?
  }

  /// The number of blocks that have begun.
  var blockCount: Int { state.withLock { $0.blockCount } }

  /// Calls `hook` on the main thread when it is in line for a queue or a lock and about to park.
  func onWait(_ hook: Hook?) {
    state.withLock { $0.onWait = hook }
  }

  /// Calls `hook` on the main thread at the end of each of its blocks.
  func onBlockEnd(_ hook: (@Sendable () -> Void)?) {
    state.withLock { $0.onBlockEnd = hook }
  }

  func blockBegan(at instant: Instant, cpu: TimeSpan) {
    state.withLock { $0.blockCount += 1 }
  }

  func blockEnded(at instant: Instant, cpu: TimeSpan) {
    state.withLock { $0.onBlockEnd }?()
  }

  func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant) {
    waits.write(label)
    state.withLock { $0.onWait }?(label)
  }

  func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant) {}
  func activityEnded(_ activity: Activity, at instant: Instant) {}
  func waitEnded(at instant: Instant) {}
}
