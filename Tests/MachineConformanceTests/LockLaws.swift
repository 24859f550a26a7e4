import MachineCore
import TestSupport
import Testing

@Suite struct LockLaws {
  @Test(arguments: MachineUnderTest.allCases)
  func `a lock excludes all other threads`(machine: MachineUnderTest) throws {
    let sum = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      let number = UnguardedNumber()
      bench.concurrently(4) { _ in
        for _ in 0..<500 {
          lock.withLock { number.value += 1 }
        }
      }
      return lock.withLock { number.value }
    }
    #expect(sum == 2_000)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a thread can hold several locks`(machine: MachineUnderTest) throws {
    let value = try machine.run { bench in
      let outer = bench.machine.makeLock(label: "outer")
      let inner = bench.machine.makeLock(label: "inner")
      let first = outer.withLock { inner.withLock { 1 } }
      return first + outer.withLock { inner.withLock { 1 } }
    }
    #expect(value == 2)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `threads get a lock in the order of their calls, its holder included`(machine: MachineUnderTest) throws {
    let order = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      let threads = (0..<5).map { bench.machine.makeSerialQueue(label: "thread \($0)") }
      let order = Journal<String>()
      let isHeld = Journal<Bool>()
      let holder = bench.machine.makeSerialQueue(label: "holder")
      holder.async {
        lock.withLock {
          isHeld.write(true)
          bench.wait(for: threads.count, inLineFor: lock)
        }
        lock.withLock { order.write("holder again") }
      }
      bench.wait { isHeld.count == 1 }
      for (number, thread) in threads.enumerated() {
        thread.async { lock.withLock { order.write("thread \(number)") } }
        // The last thread lets the holder continue.
        guard number + 1 < threads.count else { break }
        bench.wait(for: number + 1, inLineFor: lock)
      }
      threads.forEach { $0.sync {} }
      holder.sync {}
      return order.entries
    }
    #expect(Array(order.filter { $0 != "holder again" }) == (0..<5).map { "thread \($0)" })
    #expect(order.first == "thread 0")
    #expect(order.contains("holder again"))
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an uncontended lock has no total wait`(machine: MachineUnderTest) throws {
    let wait = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      for _ in 0..<100 {
        lock.withLock {}
      }
      bench.concurrently(1) { _ in lock.withLock {} }
      return lock.totalWait
    }
    #expect(wait == .zero)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the total wait of a lock is the sum over all waiting threads`(machine: MachineUnderTest) throws {
    let (wait, least, most) = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      let waiters = (0..<2).map { bench.machine.makeSerialQueue(label: "waiter \($0)") }
      let begin = bench.machine.now
      let least = lock.withLock {
        waiters.forEach { $0.async { lock.withLock {} } }
        bench.wait(for: 2, inLineFor: lock)
        let bothWait = bench.machine.now
        bench.machine.wait(until: bothWait + .milliseconds(2))
        return (bench.machine.now - bothWait) * 2
      }
      waiters.forEach { $0.sync {} }
      return (lock.totalWait, least, (bench.machine.now - begin) * 2)
    }
    #expect(least >= .milliseconds(4))
    #expect(wait >= least)
    #expect(wait <= most)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an error thrown under a lock keeps its type, and the lock is released`(machine: MachineUnderTest) throws {
    let (number, after) = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      var number = 0
      do throws(Refusal) {
        try lock.withLock { () throws(Refusal) in throw Refusal(number: 3) }
      } catch {
        // This compiles only if the type of the error is `Refusal`.
        number = error.number
      }
      return (number, lock.withLock { "free" })
    }
    #expect(number == 3)
    #expect(after == "free")
  }
}
