import MachineCore
import TestSupport
import Testing

@Suite struct CurrentQueueLaws {
  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `isCurrent is true exactly while the calling thread holds the queue`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let seen = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let seen = Journal<Bool>()
      seen.write(queue.isCurrent)
      queue.async { seen.write(queue.isCurrent) }
      queue.sync { seen.write(queue.isCurrent) }
      seen.write(queue.isCurrent)
      return seen.entries
    }
    #expect(seen == [false, true, true, false])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `every queue held in a chain of syncs is current`(machine: MachineUnderTest) throws {
    let seen = try machine.run { bench in
      let outer = bench.machine.makeSerialQueue(label: "outer")
      let inner = bench.machine.makeSerialQueue(label: "inner")
      let seen = Journal<[Bool]>()
      let look: @Sendable () -> Void = { seen.write([outer.isCurrent, inner.isCurrent]) }
      outer.async {
        look()
        inner.sync { look() }
        look()
      }
      outer.sync { inner.sync { look() } }
      look()
      return seen.entries
    }
    #expect(seen == [[true, false], [true, true], [true, false], [true, true], [false, false]])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the main queue stays current within its sync onto a private queue`(machine: MachineUnderTest) throws {
    let seen = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      return bench.main.sync { queue.sync { [bench.main.isCurrent, queue.isCurrent] } }
    }
    #expect(seen == [true, true])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a queue held by a blocked caller is not current on the main thread`(machine: MachineUnderTest) throws {
    let seen = try machine.run { bench in
      let worker = bench.machine.makeSerialQueue(label: "worker")
      return worker.sync {
        [bench.main.sync { worker.isCurrent }, bench.main.sync { bench.main.isCurrent }, worker.isCurrent]
      }
    }
    #expect(seen == [false, true, true])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `isCurrent is false on a thread that waits for the queue`(machine: MachineUnderTest) throws {
    let seen = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      bench.occupy(queue, until: 1)
      let isCurrent = queue.isCurrent
      queue.sync {}
      return isCurrent
    }
    #expect(!seen)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `performAndWait re-enters a queue that is current`(machine: MachineUnderTest) throws {
    let order = try machine.run { bench in
      let outer = bench.machine.makeSerialQueue(label: "outer")
      let inner = bench.machine.makeSerialQueue(label: "inner")
      let journal = Journal<String>()
      performAndWait(on: outer) {
        performAndWait(on: inner) {
          performAndWait(on: outer) { journal.write("outer again") }
          performAndWait(on: inner) { journal.write("inner again") }
        }
        journal.write("outer")
      }
      performAndWait(on: bench.main) {
        performAndWait(on: bench.main) { journal.write("main again") }
      }
      return journal.entries
    }
    #expect(order == ["outer again", "inner again", "outer", "main again"])
  }

  /// Runs a body on a queue, or directly if the queue is current, as a context does.
  private func performAndWait(on queue: any SerialQueue, _ body: () -> Void) {
    if queue.isCurrent {
      body()
    } else {
      queue.sync(body)
    }
  }
}
