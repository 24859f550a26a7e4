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
    if let cores = cores.withLock({ $0 }) { HostCore.bind(to: cores) }
  }
}

extension LiveMachine {
  /// Binds the main thread to one core, and the calling thread and all that follow to others.
  ///
  /// Waking a thread then costs the same each time: the system otherwise keeps two threads now on one core and now on
  /// two, of which the second costs several times as much. Call it before the machine has work. Blocks until the main
  /// thread is bound. It holds for the whole process.
  package func bindThreads(mainCore: Int, otherCores: [Int]) {
    WorkerCores.cores.withLock { $0 = otherCores }
    HostCore.bind(to: otherCores)
    mainQueue.sync { HostCore.bind(to: mainCore) }
  }
}
