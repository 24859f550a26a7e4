import MachineCore
import MachineSimulated
import Testing

/// The cost of waking a thread, and when it is paid.
@Suite struct ThreadWakingTests {
  private func machine(
    waking: MachineCore.TimeSpan, ledger: WorkLedger = WorkLedger(), trace: (any ScheduleObserver)? = nil
  ) -> SimulatedMachine {
    var device = Toy.device()
    device.costs[.threadWoken].cpuPerCount = waking.nanoseconds * 1_000
    return SimulatedMachine(device, ledger: ledger, trace: trace)
  }

  /// Returns the duration of a number of round trips onto the main queue.
  private func trips(_ count: Int, _ machine: SimulatedMachine) throws -> MachineCore.TimeSpan {
    try machine.run {
      let begin = machine.now
      for _ in 0..<count { machine.mainQueue.sync { machine.work(milliseconds: 1) } }
      return machine.now - begin
    }
  }

  @Test func `a round trip onto the main queue wakes two threads`() throws {
    #expect(try trips(10, machine(waking: .zero)) == .milliseconds(10))
    let machine = machine(waking: .microseconds(20))
    #expect(try trips(10, machine) == .milliseconds(10) + .microseconds(400))
    #expect(machine.totalCPU >= .milliseconds(10) + .microseconds(400))
  }

  @Test func `a sync onto a free queue wakes no thread`() throws {
    let machine = machine(waking: .microseconds(20))
    let taken = try machine.run {
      let queue = machine.makeSerialQueue(label: "queue")
      let begin = machine.now
      for _ in 0..<10 { queue.sync { machine.work(milliseconds: 1) } }
      return machine.now - begin
    }
    #expect(taken == .milliseconds(10))
  }

  @Test func `waking a thread is counted in the role of the posted work`() throws {
    let ledger = WorkLedger()
    let machine = machine(waking: .microseconds(20), ledger: ledger)
    try machine.run {
      let queue = machine.makeSerialQueue(label: "queue")
      machine.recorder.begin(.frame, of: 0, in: nil)
      queue.async {}
      machine.recorder.end(.frame)
      machine.wait(until: Instant(nanoseconds: 1_000_000))
    }
    #expect(ledger.count(.threadWoken, for: .user) == 1)
    #expect(ledger.count(.threadWoken, for: .background) == 0)
  }

  @Test func `waking costs below a nanosecond accumulate`() throws {
    var device = Toy.device()
    device.costs[.threadWoken].cpuPerCount = 1_500
    let machine = Toy.machine(device)
    let taken = try trips(100, machine)
    // Each trip has two wakings of one and a half nanoseconds each. The half that is left at the end is still owed.
    #expect((299...301).contains((taken - .milliseconds(100)).nanoseconds))
  }

  @Test func `wakings are counted even if they cost nothing`() throws {
    let ledger = WorkLedger()
    _ = try trips(3, machine(waking: .zero, ledger: ledger))
    #expect(ledger.count(.threadWoken) == 6)
  }

  @Test func `the latency of waking uses no CPU`() throws {
    var device = Toy.device()
    device.costs[.threadWoken].latencyPerCount = 30_000_000
    let machine = Toy.machine(device)
    #expect(try trips(10, machine) == .milliseconds(10) + .microseconds(600))
    #expect(machine.totalCPU < .milliseconds(10) + .microseconds(100))
  }

  @Test func `a cold start is charged before the block's own work`() throws {
    var device = Toy.device()
    device.costs[.coldStart].cpuPerCount = 5_000_000
    let machine = Toy.machine(device)
    let inside = try machine.run {
      let queue = machine.makeSerialQueue(label: "queue")
      let began = machine.now
      var elapsed = MachineCore.TimeSpan.zero
      queue.async {}
      machine.wait(until: began + .milliseconds(1))
      machine.mainQueue.sync {
        let start = machine.now
        machine.work(milliseconds: 1)
        elapsed = machine.now - start
      }
      return elapsed
    }
    // The first reading of the clock settles the cold start, so only the block's own work follows.
    #expect(inside == .milliseconds(1))
    #expect(machine.totalCPU >= .milliseconds(1) + .microseconds(10))
  }

  @Test func `a thread pays for each microsecond slept, up to coldAfter`() throws {
    func taken(sleeping milliseconds: Int) throws -> (ledger: WorkLedger, cpu: MachineCore.TimeSpan) {
      var device = Toy.device()
      device.coldAfter = .milliseconds(3)
      device.costs[.timeSlept].cpuPerCount = 10_000
      let ledger = WorkLedger()
      let machine = SimulatedMachine(device, ledger: ledger)
      try machine.run {
        machine.mainQueue.sync {}
        machine.work(milliseconds: milliseconds)
        machine.mainQueue.sync {}
      }
      return (ledger, machine.totalCPU - .milliseconds(Int64(milliseconds)))
    }
    let short = try taken(sleeping: 1)
    let long = try taken(sleeping: 5)
    #expect(short.ledger.count(.timeSlept) == 1_000)
    #expect(long.ledger.count(.timeSlept) == 3_000)
    #expect(long.cpu - short.cpu == .microseconds(20))
  }
}
