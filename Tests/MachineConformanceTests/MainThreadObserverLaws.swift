import MachineCore
import Testing

@Suite struct MainThreadObserverLaws {
  @Test(arguments: MachineUnderTest.allCases)
  func `every main-queue block is reported, and its events nest in order of time`(machine: MachineUnderTest) throws {
    let entries = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      bench.concurrently(3) { _ in
        for _ in 0..<50 {
          bench.main.async { bench.machine.recorder.during(.merge) { lock.withLock {} } }
          bench.main.sync {
            bench.machine.recorder.during(.fetch) { bench.machine.recorder.during(.fault) {} }
          }
          lock.withLock {}
        }
      }
      bench.main.sync {}
      return bench.events.entries
    }
    #expect(entries.count { $0.event == .blockBegan } == 301)
    #expect(EventRecorder.nestingFault(in: entries.map(\.event)) == nil)
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    let cpu = entries.compactMap(\.cpu)
    #expect(cpu.count == 602)
    #expect(zip(cpu, cpu.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a block is reported before sync returns`(machine: MachineUnderTest) throws {
    let events = try machine.run { bench in
      bench.main.sync {}
      return bench.events.entries.map(\.event)
    }
    #expect(events == [.blockBegan, .blockEnded])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the reported times of a block lie between its call and its return`(machine: MachineUnderTest) throws {
    let (instants, events) = try machine.run { bench in
      let before = bench.machine.now
      let inside = bench.main.sync { bench.machine.now }
      let after = bench.machine.now
      let events = bench.events.entries.map(\.instant)
      return ([before, inside, after], events)
    }
    try #require(events.count == 2)
    #expect(instants[0] <= events[0] && events[0] <= instants[1])
    #expect(instants[1] <= events[1] && events[1] <= instants[2])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `only the main thread's activities are reported`(machine: MachineUnderTest) throws {
    let events = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      bench.machine.recorder.during(.decode) {}
      queue.sync { bench.machine.recorder.during(.save) {} }
      bench.main.sync {
        bench.machine.recorder.during(.frame) { queue.sync { bench.machine.recorder.during(.fault) {} } }
      }
      return bench.events.activitiesAndWaits
    }
    #expect(events == [.began(.frame), .began(.fault), .ended(.fault), .ended(.frame)])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the main thread's wait for a taken lock is reported under the lock's label`(machine: MachineUnderTest) throws {
    let events = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "coordinator")
      lock.withLock {
        bench.main.async { lock.withLock { bench.machine.recorder.during(.save) {} } }
        bench.wait(for: 1, inLineFor: lock)
      }
      bench.main.sync {}
      return bench.events.activitiesAndWaits
    }
    #expect(events == [.waitBegan("coordinator"), .waitEnded, .began(.save), .ended(.save)])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the main thread's wait for a taken queue is reported under the queue's label`(
    machine: MachineUnderTest
  ) throws {
    let events = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "root")
      bench.occupy(queue, until: 1)
      bench.main.sync { queue.sync { bench.machine.recorder.during(.fetch) {} } }
      return bench.events.activitiesAndWaits
    }
    #expect(events == [.waitBegan("root"), .waitEnded, .began(.fetch), .ended(.fetch)])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the main thread's wait for an instant is reported`(machine: MachineUnderTest) throws {
    let entries = try machine.run { bench in
      bench.main.sync { bench.machine.wait(until: bench.machine.now + .milliseconds(1)) }
      return bench.events.entries
    }
    try #require(entries.map(\.event) == [.blockBegan, .waitBegan("clock"), .waitEnded, .blockEnded])
    // The deadline was set between the first two events, so the millisecond lies between these events and is not only
    // in the wait.
    #expect(entries[2].instant - entries[0].instant >= .milliseconds(1))
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `free locks, free queues and past instants report no wait`(machine: MachineUnderTest) throws {
    let events = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      let queue = bench.machine.makeSerialQueue(label: "queue")
      bench.main.sync {
        for _ in 0..<100 {
          lock.withLock {}
          queue.sync {}
          bench.machine.wait(until: bench.machine.now)
        }
      }
      return bench.events.activitiesAndWaits
    }
    #expect(events.isEmpty)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `waits of other threads are not reported`(machine: MachineUnderTest) throws {
    let (events, wait) = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "lock")
      let worker = bench.machine.makeSerialQueue(label: "worker")
      lock.withLock {
        worker.async { lock.withLock {} }
        bench.wait(for: 1, inLineFor: lock)
      }
      worker.sync { bench.main.sync {} }
      bench.machine.wait(until: bench.machine.now + .microseconds(100))
      return (bench.events.activitiesAndWaits, lock.totalWait)
    }
    #expect(wait > .zero)
    #expect(events.isEmpty)
  }
}
