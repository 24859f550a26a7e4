import MachineCore
import MachineSimulated
import Testing

/// The order and the times of events, which are the same in every run.
@Suite struct SchedulingTests {
  @Test func `work under one lock takes the sum of its times`() throws {
    let machine = Toy.machine(Toy.device(cores: 4))
    let (apart, together, waited) = try machine.run {
      let apart = machine.endings([
        { machine.work(milliseconds: 10) }, { machine.work(milliseconds: 30) },
      ])
      let coordinator = machine.makeLock(label: "coordinator")
      let together = machine.endings([
        { coordinator.withLock { machine.work(milliseconds: 10) } },
        { coordinator.withLock { machine.work(milliseconds: 30) } },
      ])
      return (apart, together, coordinator.totalWait)
    }
    #expect(apart.max() == .milliseconds(30))
    #expect(together.max() == .milliseconds(40))
    #expect(waited == .milliseconds(10))
  }

  @Test func `at one instant an ending block runs on before a due block starts`() throws {
    let machine = Toy.machine()
    let notes = Notes()
    try machine.run {
      let queue = machine.makeSerialQueue(label: "clock")
      let begin = machine.now
      queue.async(at: begin + .milliseconds(5)) { notes.add("due") }
      machine.mainQueue.async {
        machine.work(milliseconds: 5)
        _ = machine.now
        notes.add("ended")
      }
      machine.mainQueue.sync {}
      queue.sync {}
    }
    #expect(notes.lines == ["ended", "due"])
  }

  @Test func `the main thread's observer gets exact instants and the thread's CPU time`() throws {
    let recorder = Recorder()
    let machine = Toy.machine(observer: recorder)
    try machine.run {
      let lock = machine.makeLock(label: "store")
      let isHeld = Guarded(false)
      let worker = machine.makeSerialQueue(label: "worker")
      worker.async {
        lock.withLock {
          isHeld.withLock { $0 = true }
          machine.work(milliseconds: 8)
        }
      }
      while !isHeld.withLock({ $0 }) { machine.wait(until: machine.now + .microseconds(1)) }
      machine.mainQueue.sync {
        machine.recorder.during(.save) {
          machine.work(milliseconds: 2)
          lock.withLock { machine.store(milliseconds: 3) }
        }
      }
    }
    #expect(
      recorder.lines == [
        "block 0.001/0.0", "save 0.001", "wait store 2.001", "waited 8.0", "ended save 11.0", "block ended 11.0/2.0",
      ])
  }

  private final class Recorder: MainThreadObserver {
    private let notes = Notes()
    var lines: [String] { notes.lines }

    private func milliseconds(_ instant: Instant) -> Double { Double(instant.nanoseconds) / 1_000_000 }

    func blockBegan(at instant: Instant, cpu: MachineCore.TimeSpan) {
      notes.add("block \(milliseconds(instant))/\(cpu.milliseconds)")
    }
    func blockEnded(at instant: Instant, cpu: MachineCore.TimeSpan) {
      notes.add("block ended \(milliseconds(instant))/\(cpu.milliseconds)")
    }
    func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant) {
      notes.add("\(activity) \(milliseconds(instant))")
    }
    func activityEnded(_ activity: Activity, at instant: Instant) {
      notes.add("ended \(activity) \(milliseconds(instant))")
    }
    func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant) {
      notes.add("wait \(label) \(milliseconds(instant))")
    }
    func waitEnded(at instant: Instant) { notes.add("waited \(milliseconds(instant))") }
  }
}

/// Three contexts on serial queues, a coordinator and ticks on main, wired in four ways: a small model of an app.
struct ToyApp: Sendable {
  enum Wiring: String, CaseIterable, Sendable {
    case siblings
    case childOfMain
    case reversed
    case threeTier
  }

  var wiring: Wiring
  var imports: Int
  var unitCount = 20

  /// Runs the app, and returns the beginnings of the frames, and the order in which units were saved, as lines.
  func run(on machine: SimulatedMachine) throws -> [String] {
    let notes = Notes()
    try machine.run {
      let root = machine.makeSerialQueue(label: "root")
      let coordinator = machine.makeLock(label: "coordinator")
      let begin = machine.now
      for tick in 0..<40 {
        machine.mainQueue.async(at: begin + .milliseconds(Int64(tick) * 16)) {
          machine.recorder.during(.frame) {
            notes.add("frame \(tick) \((machine.now - begin).nanoseconds)")
            machine.account(Work(Toy.cpu, count: 1_700))
          }
        }
      }
      let workers = (0..<imports).map { machine.makeSerialQueue(label: "worker \($0)") }
      for (number, worker) in workers.enumerated() {
        for unit in 0..<unitCount {
          worker.async { self.run(unit, of: number, machine, root, coordinator, notes) }
        }
      }
      for queue in workers + [root, machine.mainQueue] { queue.sync {} }
      notes.add("end \(machine.now.nanoseconds) \(machine.totalCPU.nanoseconds)")
    }
    return notes.lines
  }

  private func run(
    _ unit: Int, of lane: Int, _ machine: any Machine, _ root: any SerialQueue, _ coordinator: any MachineLock,
    _ notes: Notes
  ) {
    let read: @Sendable () -> Void = {
      coordinator.withLock { for _ in 0..<7 { machine.account(Work(Toy.cpu, count: 90)) } }
    }
    let write: @Sendable () -> Void = {
      coordinator.withLock {
        for _ in 0..<11 { machine.account(Work(Toy.cpu, count: 130)) }
        machine.account(Work(Toy.storage, count: 400))
      }
      notes.add("saved \(lane).\(unit) \(machine.now.nanoseconds)")
    }
    let change: @Sendable () -> Void = { for _ in 0..<9 { machine.account(Work(Toy.cpu, count: 110)) } }
    let merge: @Sendable () -> Void = { machine.account(Work(Toy.cpu, count: 800)) }
    let main = machine.mainQueue
    switch wiring {
    case .siblings:
      read()
      change()
      write()
      main.async(merge)
    case .childOfMain:
      main.sync(read)
      change()
      main.sync(merge)
      main.async(write)
    case .reversed:
      root.sync {
        read()
        change()
        write()
      }
      main.async { root.sync(merge) }
    case .threeTier:
      main.sync { root.sync(read) }
      change()
      main.sync(merge)
      main.async {
        root.sync(merge)
        root.async(write)
      }
    }
  }
}

@Suite struct EqualityTests {
  @Test(arguments: ToyApp.Wiring.allCases, [1, 3])
  func `virtual time is equal for settlement at once and at seam calls`(wiring: ToyApp.Wiring, imports: Int) throws {
    for cores in 1...3 {
      for quantum in [MachineCore.TimeSpan.milliseconds(1), .milliseconds(10)] {
        for favoursMain in [true, false] {
          for seed in [nil, 1, 2, 3, 4] as [UInt64?] {
            let device = Toy.device(cores: cores, favoursMain: favoursMain, quantum: quantum)
            let outcomes = try [SimulatedMachineOptions.Settlement.atSeamCalls, .atOnce].map { settlement in
              try ToyApp(wiring: wiring, imports: imports).run(
                on: Toy.machine(device, SimulatedMachineOptions(scheduleSeed: seed, settlement: settlement)))
            }
            #expect(
              outcomes[0] == outcomes[1],
              "\(cores) cores, \(quantum.milliseconds) ms, \(favoursMain), seed \(seed ?? 0)")
          }
        }
      }
    }
  }

  @Test(arguments: ToyApp.Wiring.allCases)
  func `the same seed gives the same schedule with and without a trace`(wiring: ToyApp.Wiring) throws {
    for seed in [nil, 7] as [UInt64?] {
      var prints: [String] = []
      var lines: [[String]] = []
      for trace in [nil, EventCounter(), nil] {
        let machine = Toy.machine(
          Toy.device(cores: 2, favoursMain: false), SimulatedMachineOptions(scheduleSeed: seed), trace: trace)
        lines.append(try ToyApp(wiring: wiring, imports: 3).run(on: machine))
        prints.append(machine.fingerprint)
        if let trace { #expect(trace.count > 500) }
      }
      #expect(Set(prints).count == 1)
      #expect(Set(lines).count == 1)
    }
  }

  @Test func `other schedule seeds order threads differently at equal instants`() throws {
    let prints = try (0..<8 as Range<UInt64>).map { seed in
      let machine = Toy.machine(
        Toy.device(cores: 2, favoursMain: false, quantum: .milliseconds(1)), SimulatedMachineOptions(scheduleSeed: seed)
      )
      let order = Notes()
      try machine.run {
        let lock = machine.makeLock(label: "lock")
        let queues = (0..<6).map { machine.makeSerialQueue(label: "queue \($0)") }
        let begin = machine.now + .milliseconds(1)
        for (number, queue) in queues.enumerated() {
          queue.async {
            machine.wait(until: begin)
            lock.withLock { order.add("\(number)") }
          }
        }
        queues.forEach { $0.sync {} }
      }
      return order.lines.joined()
    }
    #expect(Set(prints).count > 1)
    #expect(prints.allSatisfy { $0.sorted() == Array("012345") })
  }

  private final class EventCounter: ScheduleObserver {
    private let number = Guarded(0)
    var count: Int { number.withLock { $0 } }

    func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
      number.withLock { $0 += 1 }
    }
  }
}
