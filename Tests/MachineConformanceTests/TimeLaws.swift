import MachineCore
import TestSupport
import Testing

@Suite struct TimeLaws {
  @Test(arguments: MachineUnderTest.allCases)
  func `the clock read by all threads is monotonic`(machine: MachineUnderTest) throws {
    let instants = try machine.run { bench in
      let lock = bench.machine.makeLock(label: "order")
      let instants = Journal<Instant>()
      bench.concurrently(3) { _ in
        for _ in 0..<300 {
          lock.withLock { instants.write(bench.machine.now) }
        }
      }
      return instants.entries
    }
    #expect(instants.count == 900)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(instants.allSatisfy { $0 >= Instant(nanoseconds: 0) })
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a wait ends at or after its deadline`(machine: MachineUnderTest) throws {
    let early = try machine.run { bench in
      (1...20).filter { step in
        let deadline = bench.machine.now + .microseconds(Int64(step) * 50)
        bench.machine.wait(until: deadline)
        return bench.machine.now < deadline
      }
    }
    #expect(early.isEmpty)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a wait for a past instant returns at once`(machine: MachineUnderTest) throws {
    let isLater = try machine.run { bench in
      let begin = bench.machine.now
      bench.machine.wait(until: begin)
      bench.machine.wait(until: begin - .seconds(3_600))
      bench.machine.wait(until: Instant(nanoseconds: .min))
      return bench.machine.now >= begin
    }
    #expect(isLater)
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a block with a deadline runs at or after the deadline`(machine: MachineUnderTest, kind: QueueKind) throws {
    let (earliest, count) = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let lateness = Journal<MachineCore.TimeSpan>()
      for step in 0..<20 {
        let deadline = bench.machine.now + .microseconds(Int64(step) * 100)
        queue.async(at: deadline) { lateness.write(bench.machine.now - deadline) }
      }
      bench.wait { lateness.count == 20 }
      return (lateness.entries.min(), lateness.count)
    }
    #expect(count == 20)
    #expect(try #require(earliest) >= .zero)
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `blocks run in the order of their deadlines, then in that of the calls`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let (posted, ran) = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      var lead = MachineCore.TimeSpan.milliseconds(2)
      // All blocks must be posted before the first is due. This may take another attempt on a busy computer.
      while true {
        let begin = bench.machine.now + lead
        let ran = Journal<[Int64]>()
        let posted = postAtRandom(on: queue, from: begin, into: ran)
        let isInTime = bench.machine.now < begin
        bench.wait { ran.count == posted.count }
        if isInTime { return (posted, ran.entries) }
        lead = lead * 2
      }
    }
    #expect(posted.count == 100)
    #expect(ran == posted.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// Posts blocks at few and equal deadlines; each is a pair of its deadline's number and the number of its call.
  private func postAtRandom(on queue: any SerialQueue, from begin: Instant, into ran: Journal<[Int64]>) -> [[Int64]] {
    var random = SeededRandom(seed: 11)
    return (0..<100).map { call in
      let pair = [Int64(random.below(10)), Int64(call)]
      queue.async(at: begin + .microseconds(pair[0] * 200)) { ran.write(pair) }
      return pair
    }
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a block with a past deadline runs in the order of the calls`(
    machine: MachineUnderTest, kind: QueueKind
  ) throws {
    let order = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let order = Journal<Int>()
      bench.occupy(queue, until: 3)
      queue.async { order.write(1) }
      queue.async(at: bench.machine.now) { order.write(2) }
      queue.async { order.write(3) }
      queue.sync {}
      return order.entries
    }
    #expect(order == [1, 2, 3])
  }
}
