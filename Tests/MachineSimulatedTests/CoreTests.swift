import MachineCore
import MachineSimulated
import Testing

/// The distribution of a device's cores.
@Suite struct CoreTests {
  private func endings(_ device: SimulatedDevice, of works: [Int]) throws -> [Double] {
    let machine = Toy.machine(device)
    return try machine.run {
      machine.endings(works.map { milliseconds in { machine.work(milliseconds: milliseconds) } })
    }.map(\.milliseconds)
  }

  @Test func `strands run in parallel if there are as many cores`() throws {
    #expect(try endings(Toy.device(cores: 3), of: [10, 20, 30]) == [10, 20, 30])
  }

  @Test func `strands beyond the number of cores take turns by time slices`() throws {
    // A and B run from 0 to 10. Their slices have ended at 10, so C runs together with A, which was first in line
    // again, until 20, and so on.
    let ends = try endings(Toy.device(cores: 2), of: [20, 20, 20])
    #expect(ends.sorted() == [20, 30, 30])
    #expect(ends.reduce(0, max) * 2 == 60)
  }

  @Test func `one core runs strands in turns of one quantum`() throws {
    #expect(try endings(Toy.device(cores: 1, quantum: .milliseconds(1)), of: [3, 3]) == [5, 6])
  }

  @Test func `a slice starts when its strand gets the core`() throws {
    let machine = Toy.machine(Toy.device(cores: 1, quantum: .milliseconds(10)))
    let ends = try machine.run {
      let begin = machine.now
      return machine.endings([
        { machine.work(milliseconds: 18) },
        {},
      ]) + [machine.now - begin]
    }
    // The second strand was there from the start and gets the core when the slice of the first one ends.
    #expect(ends.map(\.milliseconds) == [18, 10, 18])
  }

  @Test func `a bound main has the first core for itself and the other strands share the rest`() throws {
    let device = Toy.device(cores: 2, favoursMain: false, quantum: .milliseconds(10))
    let machine = Toy.machine(device, SimulatedMachineOptions(bindsMain: true))
    let started = Guarded(MachineCore.TimeSpan.zero)
    let ends = try machine.run {
      let begin = machine.now
      machine.mainQueue.async(at: begin + .milliseconds(5)) {
        let now = machine.now - begin
        started.withLock { $0 = now }
        machine.work(milliseconds: 30)
      }
      return machine.endings([{ machine.work(milliseconds: 20) }, { machine.work(milliseconds: 20) }])
    }
    #expect(ends.map(\.milliseconds) == [30, 40])
    #expect(started.withLock { $0 }.milliseconds == 5)
  }

  @Test func `main preempts at once if the device favours it, else after the slice`() throws {
    for (favoursMain, expected) in [(true, 5.0), (false, 10.0)] {
      let machine = Toy.machine(Toy.device(cores: 1, favoursMain: favoursMain))
      let start = try machine.run {
        let begin = machine.now
        let worker = machine.makeSerialQueue(label: "worker")
        worker.async { machine.work(milliseconds: 30) }
        let started = Guarded(MachineCore.TimeSpan.zero)
        machine.mainQueue.async(at: begin + .milliseconds(5)) {
          let now = machine.now - begin
          started.withLock { $0 = now }
        }
        worker.sync {}
        return started.withLock { $0 }
      }
      #expect(start.milliseconds == expected)
    }
  }

  @Test func `a preempted strand continues without losing time`() throws {
    let machine = Toy.machine(Toy.device(cores: 1))
    let (end, cpu) = try machine.run {
      let begin = machine.now
      machine.mainQueue.async(at: begin + .milliseconds(5)) { machine.work(milliseconds: 7) }
      let ends = machine.endings([{ machine.work(milliseconds: 30) }])
      return (ends[0], machine.totalCPU)
    }
    #expect(end.milliseconds == 37)
    #expect(cpu.milliseconds == 37)
  }

  @Test func `a strand that main waits for inherits main's priority transitively`() throws {
    let machine = Toy.machine(Toy.device(cores: 1, quantum: .milliseconds(10)))
    let notes = Notes()
    try machine.run {
      let outer = machine.makeSerialQueue(label: "outer")
      let inner = machine.makeSerialQueue(label: "inner")
      let rival = machine.makeSerialQueue(label: "rival")
      let begin = machine.now
      inner.async {
        machine.work(milliseconds: 25)
        notes.add("inner \((machine.now - begin).milliseconds)")
        machine.work(milliseconds: 1)
      }
      outer.async { inner.sync { notes.add("outer \((machine.now - begin).milliseconds)") } }
      rival.async {
        machine.work(milliseconds: 30)
        notes.add("rival \((machine.now - begin).milliseconds)")
      }
      machine.mainQueue.async(at: begin + .milliseconds(1)) {
        outer.sync { notes.add("main \((machine.now - begin).milliseconds)") }
      }
      for queue in [outer, inner, rival] { queue.sync {} }
    }
    // If the rank were ignored, "inner" would share the core with "rival" and take until about 45.
    #expect(notes.lines == ["inner 25.0", "outer 26.0", "main 26.0", "rival 56.0"])
  }

  @Test func `a strand that waits for storage frees its core`() throws {
    let machine = Toy.machine(Toy.device(cores: 1))
    let ends = try machine.run {
      machine.endings([
        {
          machine.work(milliseconds: 2)
          machine.store(milliseconds: 20)
        },
        { machine.work(milliseconds: 9) },
      ])
    }
    #expect(ends.map(\.milliseconds) == [22, 11])
  }

  @Test func `CPU time excludes storage time`() throws {
    let machine = Toy.machine()
    let cpu = try machine.run {
      machine.work(milliseconds: 3)
      machine.store(milliseconds: 40)
      machine.spend(.milliseconds(2))
      return machine.totalCPU
    }
    #expect(cpu == .milliseconds(5))
    #expect(machine.virtualTime == .milliseconds(45))
  }

  @Test func `fractions of a nanosecond accumulate`() throws {
    var costs = CostModel()
    costs[.valueBound].cpuPerCount = 300
    costs[.valueBound].cpuPerByte = 10
    let machine = Toy.machine(SimulatedDevice(cores: 1, favoursMain: true, quantum: .milliseconds(1), costs: costs))
    let time = try machine.run {
      for _ in 0..<1_000 {
        machine.account(Work(.valueBound, count: 1, bytes: 10))
        _ = machine.now
      }
      return machine.now
    }
    #expect(time == Instant(nanoseconds: 400))
  }
}
