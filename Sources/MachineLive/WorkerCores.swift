import MachineCore

/// The cores that threads other than the main thread are bound to when the process first hears of them.
///
/// Dispatch starts its threads from whichever thread posts a block, and a new thread inherits the binding of the one
/// that started it. A thread that the main thread started would therefore share the main thread's core for ever.
enum WorkerCores {
  /// The cores, or nil as long as the system may put threads wherever it likes.
  static let cores = Guarded<[Int]?>(nil)

  /// Binds the calling thread, which has just begun to use the live machine.
  static func bindNewThread() {
    guard let cores = cores.withLock({ $0 }) else { return }
    HostCore.bind(to: cores)
    HostCore.setPreemptsWhenWoken(false)
  }
}

extension LiveMachine {
  /// Binds the main thread to one core, and the calling thread and all that follow to others.
  ///
  /// Waking a thread then costs the same each time: the system otherwise keeps two threads now on one core and now on
  /// two, of which the second costs several times as much. Threads on the other cores do not preempt one another when
  /// they are woken: a thread that holds a queue would otherwise lose its core to the one to which it posts a block, and
  /// the main thread would wait for both. Call it before the machine has work. Blocks until the main thread is bound. It
  /// holds for the whole process.
  package func bindThreads(mainCore: Int, otherCores: [Int]) {
    WorkerCores.cores.withLock { $0 = otherCores }
    WorkerCores.bindNewThread()
    mainQueue.sync {
      HostCore.bind(to: mainCore)
      HostCore.setPreemptsWhenWoken(true)
    }
  }
}
