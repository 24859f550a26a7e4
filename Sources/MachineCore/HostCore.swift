import Glibc

/// The cores of this computer, to which threads can be bound.
package enum HostCore {
  /// The core that the calling thread runs on, or nil where the system does not tell.
  package static var current: Int? {
    guard let number = getCore?(), number >= 0 else { return nil }
    return Int(number)
  }

  /// Binds the calling thread to one core; where the system refuses, nothing changes but speed.
  package static func bind(to core: Int) {
    bind(to: [core])
  }

  /// Binds the calling thread to some cores; where the system refuses, nothing changes but speed.
  ///
  /// Threads that it starts from now on inherit the binding.
  package static func bind(to cores: [Int]) {
    var mask = [UInt64](repeating: 0, count: 16)
    for core in cores where core >= 0 && core < 1_024 { mask[core / 64] |= 1 << UInt64(core % 64) }
    guard mask.contains(where: { $0 != 0 }) else { return }
    _ = setAffinity?(0, mask.count * 8, mask)
  }

  /// Keeps the calling thread from preempting another one when it is woken, or lets it do so again.
  ///
  /// Linux runs a woken thread at once in place of the one that woke it, if both share a core. A thread under the batch
  /// policy waits for its turn instead, as a thread of the same priority does on Apple's systems. Threads that it starts
  /// from now on inherit the policy.
  package static func setPreemptsWhenWoken(_ preempts: Bool) {
    var parameters = sched_param()
    let batchPolicy: Int32 = 3
    _ = sched_setscheduler(0, preempts ? SCHED_OTHER : batchPolicy, &parameters)
  }

  // Both are declared by <sched.h> only under `_GNU_SOURCE`, so Swift does not import them.
  private static let getCore: (@convention(c) () -> Int32)? =
    dlsym(nil, "sched_getcpu").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }
  private static let setAffinity: (@convention(c) (Int32, Int, UnsafePointer<UInt64>) -> Int32)? =
    dlsym(nil, "sched_setaffinity").map {
      unsafeBitCast($0, to: (@convention(c) (Int32, Int, UnsafePointer<UInt64>) -> Int32).self)
    }
}
