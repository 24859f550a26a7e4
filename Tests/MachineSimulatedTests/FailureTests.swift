import MachineCore
import MachineSimulated
import Testing

/// The failures of simulations, and the release of all threads at their end.
@Suite struct FailureTests {
  private func failure(
    _ machine: SimulatedMachine = Toy.machine(), _ body: @escaping @Sendable (SimulatedMachine) -> Void
  ) throws -> SimulationFailure {
    try #require(throws: SimulationFailure.self) { try machine.run { body(machine) } }
  }

  @Test func `a deadlock is reported with each wait, its holder and its activity`() throws {
    let failure = try failure { machine in
      let worker = machine.makeSerialQueue(label: "worker")
      worker.async {
        machine.recorder.during(.fetch) {
          machine.work(milliseconds: 1)
          machine.mainQueue.sync { machine.recorder.during(.push) { worker.sync {} } }
        }
      }
      worker.sync {}
    }
    #expect(failure.code == .deadlock)
    #expect(failure.instant == Instant(nanoseconds: 1_000_000))
    #expect(
      failure.description
        == "deadlock at 1.000 ms: 2 threads wait for each other's “worker”, “main”; "
        + "the main thread has waited since 1.000 ms for “worker”, held by thread 2; "
        + "asked for in a block of “main”, in push; "
        + "thread 2 has waited since 1.000 ms for “main”, held by the main thread; "
        + "asked for in a block of “worker”, in fetch")
  }

  @Test func `locks taken in opposite orders are reported as a deadlock while ticks go on`() throws {
    let failure = try failure { machine in
      let locks = ["left", "right"].map { machine.makeLock(label: $0) }
      @Sendable func tick() {
        machine.mainQueue.async(at: machine.now + .milliseconds(16), tick)
      }
      tick()
      _ = machine.endings([
        {
          locks[0].withLock {
            machine.work(milliseconds: 1); locks[1].withLock {}
          }
        },
        {
          locks[1].withLock {
            machine.work(milliseconds: 1); locks[0].withLock {}
          }
        },
      ])
    }
    #expect(failure.code == .deadlock)
    #expect(failure.waits.count == 2)
    #expect(failure.waits.contains { $0.contains("“left”") } && failure.waits.contains { $0.contains("“right”") })
  }

  @Test func `a chain of waits without a cycle is no deadlock`() throws {
    let machine = Toy.machine()
    let ends = try machine.run {
      let locks = (0..<4).map { machine.makeLock(label: "lock \($0)") }
      return machine.endings(
        (0..<3).map { number in
          {
            locks[number].withLock {
              machine.work(milliseconds: 1); locks[number + 1].withLock { machine.work(milliseconds: 1) }
            }
          }
        })
    }
    #expect(ends.count == 3)
  }

  @Test func `a lost wake-up is reported while ticks and the driver go on`() throws {
    let failure = try failure { machine in
      @Sendable func tick() {
        machine.recorder.during(.frame) { machine.mainQueue.async(at: machine.now + .milliseconds(16), tick) }
      }
      machine.mainQueue.async(tick)
      let lock = machine.makeLock(label: "store")
      let worker = machine.makeSerialQueue(label: "worker")
      lock.withLock {
        worker.async { lock.withLock {} }
        machine.wait(until: machine.now + .milliseconds(1))
        // The worker is in line for the lock, and loses its place.
        _ = (lock as? SimulatedLock)?.turn.line.popFirst()
      }
      while true { machine.wait(until: machine.now + .milliseconds(2)) }
    }
    #expect(failure.code == .lostWakeUp)
    #expect(failure.instant < Instant(nanoseconds: 20_000_000))
    #expect(failure.description.contains("“store”"))
    #expect(failure.description.contains("asked for in a block of “worker”"))
  }

  @Test func `a run fails with timeLimit at the limit of virtual time`() throws {
    let machine = Toy.machine(Toy.device(), SimulatedMachineOptions(timeLimit: .seconds(2)))
    let failure = try failure(machine) { machine in
      while true { machine.wait(until: machine.now + .milliseconds(7)) }
    }
    #expect(failure.code == .timeLimit)
    #expect(failure.description == "the limit of 2 s of virtual time was reached")
    #expect(machine.virtualTime <= .seconds(2))
  }

  @Test func `one charge beyond the time limit fails the run`() throws {
    let machine = Toy.machine(Toy.device(), SimulatedMachineOptions(timeLimit: .seconds(2)))
    #expect(try failure(machine) { $0.work(milliseconds: 3_000) }.code == .timeLimit)
  }

  @Test func `a run fails with eventLimit at the limit of events`() throws {
    let machine = Toy.machine(Toy.device(), SimulatedMachineOptions(eventLimit: 1_000))
    let failure = try failure(machine) { machine in
      while true { machine.wait(until: machine.now + .milliseconds(1)) }
    }
    #expect(failure.code == .eventLimit)
  }

  @Test func `a call from a thread outside the machine stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Toy.machine().now
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("from a thread that is none of its own"))
  }

  @Test func `running a machine twice stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = Toy.machine()
      try machine.run {}
      try machine.run {}
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("A simulated machine runs once"))
  }

  @Test func `an error of the body is rethrown after all runnable blocks have run`() throws {
    struct Refusal: Error {}
    let notes = Notes()
    let machine = Toy.machine()
    #expect(throws: Refusal.self) {
      try machine.run {
        let queue = machine.makeSerialQueue(label: "queue")
        queue.async {
          machine.work(milliseconds: 5)
          notes.add("ran at \(machine.now.nanoseconds)")
          machine.mainQueue.async { notes.add("and this") }
        }
        queue.async(at: machine.now + .seconds(1)) { notes.add("never") }
        throw Refusal()
      }
    }
    #expect(notes.lines == ["ran at 5000000", "and this"])
  }

  @Test func `many machines are released with their threads`() throws {
    weak var last: SimulatedMachine?
    for _ in 0..<300 {
      let machine = Toy.machine()
      last = machine
      _ = try machine.run {
        machine.endings((0..<5).map { _ in { machine.mainQueue.sync { machine.work(milliseconds: 1) } } })
      }
    }
    #expect(last == nil)
  }

  @Test func `a deep recursion fits on the stack of every strand`() throws {
    // The address sanitizer makes each frame several times as large.
    #if UNDER_SANITIZER
      let kilobytes = 1_024
    #else
      let kilobytes = 4_096
    #endif
    let machine = Toy.machine()
    let depths = try machine.run {
      [stackDepth(kilobytes: kilobytes), machine.mainQueue.sync { stackDepth(kilobytes: kilobytes) }]
    }
    #expect(depths == [kilobytes, kilobytes])
  }
}

/// Uses at least this many bytes of the stack.
@inline(never)
private func stackDepth(kilobytes: Int) -> Int {
  guard kilobytes > 0 else { return 0 }
  return withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 1) { buffer in
    buffer.initializeMemory(as: UInt8.self, repeating: 1)
    return stackDepth(kilobytes: kilobytes - 1) + Int(buffer[0])
  }
}
