import Foundation
import MachineCore
import Testing

@Suite struct HostCoreTests {
  @Test func `a thread runs on each available core that it is bound to`() {
    let reached = Guarded<Set<Int>>([])
    // The bindings use a new thread, because a thread stays bound to its core.
    OwnThread {
      for core in 0..<1_024 {
        HostCore.bind(to: core)
        if HostCore.current == core { reached.withLock { _ = $0.insert(core) } }
      }
    }.join()
    #expect(reached.withLock { $0.count } == ProcessInfo.processInfo.activeProcessorCount)
  }
}
