import Glibc

/// The cores of this computer, to which threads can be bound.
package enum HostCore {
  /// The number of the core on which the calling thread runs, or nil if the system does not report it.
  package static var current: Int? {
    guard let number = getCore?(), number >= 0 else { return nil }
    return Int(number)
  }

  /// Binds the calling thread to one core. If the system refuses, the binding stays, which affects speed only.
  package static func bind(to core: Int) {
    bind(to: [core])
  }

  /// Binds the calling thread to some cores. If the system refuses, the binding stays, which affects speed only.
  ///
  /// Numbers outside `0..<1024` are ignored. If no other number is given, the binding does not change. Threads that the
  /// calling thread starts afterwards inherit the binding.
  package static func bind(to cores: [Int]) {
    var mask = [UInt64](repeating: 0, count: 16)
    for core in cores where core >= 0 && core < 1_024 { mask[core / 64] |= 1 << UInt64(core % 64) }
    guard mask.contains(where: { $0 != 0 }) else { return }
    _ = setAffinity?(0, mask.count * 8, mask)
  }

  /// Sets whether the calling thread preempts another thread when it is woken.
  ///
  /// Linux runs a woken thread at once in place of the one that woke it, if both share a core. A thread under the batch
  /// policy waits for its turn instead, as a thread of the same priority does on Apple's systems. Threads that the
  /// calling thread starts afterwards inherit the policy.
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
