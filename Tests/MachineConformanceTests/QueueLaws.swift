import MachineCore
import TestSupport
import Testing

@Suite struct QueueLaws {
  // MARK: - Order

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `blocks of one queue run in the order in which they were posted`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let journal = Journal<Int>()
      for number in 0..<1_000 {
        queue.async { journal.write(number) }
      }
      queue.sync {}
      return journal.entries
    }
    #expect(order == Array(0..<1_000))
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `posted blocks and syncs of one thread run in the order of the calls`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let journal = Journal<Int>()
      for number in 0..<300 {
        if number.isMultiple(of: 3) {
          queue.sync { journal.write(number) }
        } else {
          queue.async { journal.write(number) }
        }
      }
      queue.sync {}
      return journal.entries
    }
    #expect(order == Array(0..<300))
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a sync runs after earlier posted blocks and before later ones`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let caller = bench.machine.makeSerialQueue(label: "caller")
      let journal = Journal<String>()
      bench.occupy(queue, until: 3)
      queue.async { journal.write("before") }
      caller.async { queue.sync { journal.write("sync") } }
      bench.wait(for: 2, inLineFor: queue)
      queue.async { journal.write("after") }
      caller.sync {}
      queue.sync {}
      return journal.entries
    }
    #expect(order == ["before", "sync", "after"])
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `syncs onto one queue run in the order of their calls`(machine: MachineUnderTest, kind: QueueKind) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let callers = (0..<6).map { bench.machine.makeSerialQueue(label: "caller \($0)") }
      let journal = Journal<Int>()
      bench.occupy(queue, until: callers.count)
      for (number, caller) in callers.enumerated() {
        caller.async { queue.sync { journal.write(number) } }
        guard number + 1 < callers.count else { break }
        bench.wait(for: number + 1, inLineFor: queue)
      }
      callers.forEach { $0.sync {} }
      return journal.entries
    }
    #expect(order == Array(0..<6))
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a block posted by a block runs after all blocks posted earlier`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let journal = Journal<String>()
      bench.occupy(queue, until: 2)
      queue.async {
        queue.async { journal.write("inner") }
        journal.write("outer")
      }
      queue.async { journal.write("next") }
      bench.wait { journal.count == 3 }
      return journal.entries
    }
    #expect(order == ["outer", "next", "inner"])
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `blocks and syncs of one queue never overlap`(machine: MachineUnderTest, kind: QueueKind) throws {
    let sum = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let number = UnguardedNumber()
      bench.concurrently(4) { _ in
        for _ in 0..<200 {
          queue.async { number.value += 1 }
          queue.sync { number.value += 1 }
        }
      }
      return queue.sync { number.value }
    }
    #expect(sum == 1_600)
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `objects captured by a block are released before the next block runs`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let journal = Journal<String>()
      bench.occupy(queue, until: 2)
      post(LastWords(in: journal), on: queue)
      queue.async { journal.write("next") }
      queue.sync {}
      return journal.entries
    }
    #expect(order == ["ran", "released", "next"])
  }

  private func post(_ object: LastWords, on queue: any SerialQueue) {
    queue.async { object.speak() }
  }

  // MARK: - Threads

  @Test(arguments: MachineUnderTest.allCases)
  func `a sync onto a private queue runs on the thread of its caller`(machine: MachineUnderTest) throws {
    let (own, inSync) = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      queue.async {}
      return (bench.machine.callingThread, queue.sync { bench.machine.callingThread })
    }
    #expect(own == inSync)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `all work on the main queue runs on one thread other than the caller's`(machine: MachineUnderTest) throws {
    let (own, onMain) = try machine.run { bench in
      let threads = Journal<UInt>()
      bench.main.async { threads.write(bench.machine.callingThread) }
      bench.main.async(at: bench.machine.now) { threads.write(bench.machine.callingThread) }
      bench.main.sync { threads.write(bench.machine.callingThread) }
      bench.concurrently(3) { _ in
        bench.main.sync { threads.write(bench.machine.callingThread) }
      }
      return (bench.machine.callingThread, threads.entries)
    }
    #expect(onMain.count == 6)
    #expect(Set(onMain).count == 1)
    #expect(!onMain.contains(own))
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the main thread's sync onto a private queue runs on the main thread`(machine: MachineUnderTest) throws {
    let threads = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      return bench.main.sync { [bench.machine.callingThread, queue.sync { bench.machine.callingThread }] }
    }
    #expect(threads[0] == threads[1])
  }

  // MARK: - Results

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a sync returns what its body returns`(machine: MachineUnderTest, kind: QueueKind) throws {
    let text = try machine.run { bench in
      let local = ["one", "two"]
      return kind.queue(of: bench.machine).sync { local.joined(separator: " ") }
    }
    #expect(text == "one two")
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `an error thrown in sync keeps its type, and the queue stays usable`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let (number, after) = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      var number = 0
      do throws(Refusal) {
        try queue.sync { () throws(Refusal) in throw Refusal(number: 7) }
      } catch {
        // This compiles only if the type of the error is `Refusal`.
        number = error.number
      }
      return (number, queue.sync { "free" })
    }
    #expect(number == 7)
    #expect(after == "free")
  }
}
