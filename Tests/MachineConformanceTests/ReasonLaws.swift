import MachineCore
import Testing

/// The events of both machines that explain the time of the main thread.
@Suite struct ReasonLaws {
  @Test(arguments: MachineUnderTest.allCases)
  func `a wait of the main thread is reported with the holder's queue and activity`(machine: MachineUnderTest) throws {
    let holders = try machine.run { bench in
      let root = bench.machine.makeSerialQueue(label: "root")
      root.async {
        bench.machine.recorder.during(.importing) {
          bench.machine.recorder.during(.save) {
            bench.main.async { root.sync {} }
            // The main thread and this test's own thread below are in line.
            bench.wait(for: 2, inLineFor: root)
          }
        }
      }
      root.sync {}
      bench.main.sync {}
      return bench.events.entries.compactMap(\.holder)
    }
    #expect(holders == [TurnHolder(queue: "root", activity: .save)])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a lock's holder is reported with its queue and its awaited lock`(machine: MachineUnderTest) throws {
    let holders = try machine.run { bench in
      let worker = bench.machine.makeSerialQueue(label: "worker")
      let lock = bench.machine.makeLock(label: "store writer")
      let inner = bench.machine.makeLock(label: "store pool")
      inner.withLock {
        worker.async {
          lock.withLock { bench.machine.recorder.during(.push) { inner.withLock {} } }
        }
        bench.wait(for: 1, inLineFor: inner)
        bench.main.async { lock.withLock {} }
        bench.wait(for: 1, inLineFor: lock)
      }
      bench.main.sync {}
      return bench.events.entries.compactMap(\.holder)
    }
    #expect(holders == [TurnHolder(queue: "worker", activity: .push, awaited: "store pool")])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the holder's queue is that of its innermost sync`(machine: MachineUnderTest) throws {
    let holders = try machine.run { bench in
      let worker = bench.machine.makeSerialQueue(label: "worker")
      let root = bench.machine.makeSerialQueue(label: "root")
      let lock = bench.machine.makeLock(label: "store writer")
      worker.async {
        lock.withLock {
          root.sync {
            bench.main.async { lock.withLock {} }
            bench.wait(for: 1, inLineFor: lock)
          }
        }
        lock.withLock {
          bench.main.async { lock.withLock {} }
          bench.wait(for: 1, inLineFor: lock)
        }
      }
      worker.sync {}
      bench.main.sync {}
      return bench.events.entries.compactMap(\.holder)
    }
    #expect(holders == [TurnHolder(queue: "root"), TurnHolder(queue: "worker")])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an activity of the main thread is reported with its context and its objects`(machine: MachineUnderTest) throws {
    let entries = try machine.run { bench in
      bench.main.sync {
        bench.machine.recorder.during(.save, of: 12, in: "a context whose name is long") {
          bench.machine.recorder.during(.fault) {}
        }
      }
      return bench.events.entries
    }
    let began = entries.filter { if case .began = $0.event { true } else { false } }
    #expect(began.map(\.context) == ["a context whose name is long", nil])
    #expect(began.map(\.objectCount) == [12, 0])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `only the main thread's statements are reported, in order`(machine: MachineUnderTest) throws {
    let statements = try machine.run { bench in
      let worker = bench.machine.makeSerialQueue(label: "worker")
      bench.main.sync {
        begin("SELECT 1", bench)
        begin("SELECT 2", after: Work(.rowStepped, count: 3), bench)
        bench.machine.recorder.begin(nil, after: { [] })
      }
      worker.sync { begin("SELECT 3", bench) }
      return bench.events.statements.entries
    }
    #expect(statements == ["SELECT 1", "SELECT 2", ""])
  }

  private func begin(_ text: String, after work: Work? = nil, _ bench: MachineBench) {
    text.withCString { text in
      bench.machine.recorder.begin(RunningStatement(text: text), after: { work.map { [$0] } ?? [] })
    }
  }
}
