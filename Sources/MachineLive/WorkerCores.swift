import MachineCore

/// The cores to which threads other than the main thread are bound when they first use the live machine.
///
/// Dispatch starts its threads from the thread that posts a block, and a new thread inherits the binding of the thread
/// that started it. Without this type, a thread that the main thread started would share the main thread's core for
/// ever.
enum WorkerCores {
  /// The cores; nil as long as the system may place threads on any core.
  static let cores = Guarded<[Int]?>(nil)

  /// Binds the calling thread, which has just begun to use the live machine.
  static func bindNewThread() {
    guard let cores = cores.withLock({ $0 }) else { return }
    HostCore.bind(to: cores)
    HostCore.setPreemptsWhenWoken(false)
  }
}

extension LiveMachine {
  /// Binds the main thread to one core, and the calling thread and all later threads to others.
  ///
  /// Waking a thread then costs the same each time. Otherwise the system places two threads now on one core and now on
  /// two, and waking across cores costs several times as much. Threads on the other cores do not preempt one another
  /// when they are woken: a thread that holds a queue would otherwise lose its core to the thread to which it posts a
  /// block, and the main thread would wait for both.
  ///
  /// Call it before the machine has work. The call blocks until the main thread is bound, and applies to the whole
  /// process.
  package func bindThreads(mainCore: Int, otherCores: [Int]) {
    WorkerCores.cores.withLock { $0 = otherCores }
    WorkerCores.bindNewThread()
    mainQueue.sync {
      HostCore.bind(to: mainCore)
      HostCore.setPreemptsWhenWoken(true)
    }
  }
}
