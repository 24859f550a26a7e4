import MachineCore
import MachineSimulated

/// What the tests of virtual time share: a device that charges what a test says, and toys that run on it.
enum Toy {
  /// Costs one microsecond of CPU a count.
  static let cpu = Work.Kind.propertySet
  /// Costs one microsecond of storage a count.
  static let storage = Work.Kind.sync

  static func device(cores: Int = 2, favoursMain: Bool = true, quantum: MachineCore.TimeSpan = .milliseconds(10))
    -> SimulatedDevice
  {
    var costs = CostModel()
    costs[cpu].cpuPerCount = 1_000_000
    costs[storage].storagePerCount = 1_000_000
    return SimulatedDevice(cores: cores, favoursMain: favoursMain, quantum: quantum, costs: costs)
  }

  static func machine(
    _ device: SimulatedDevice = device(), _ options: SimulatedMachineOptions = SimulatedMachineOptions(),
    observer: (any MainThreadObserver)? = nil, trace: (any ScheduleObserver)? = nil
  ) -> SimulatedMachine {
    SimulatedMachine(device, options: options, ledger: WorkLedger(), observer: observer, trace: trace)
  }
}

extension Machine {
  /// Uses so many milliseconds of CPU, reported a tenth of a millisecond at a time.
  func work(milliseconds: Int) {
    for _ in 0..<(milliseconds * 10) { account(Work(Toy.cpu, count: 100)) }
  }

  /// Has storage work so many milliseconds.
  func store(milliseconds: Int) {
    account(Work(Toy.storage, count: milliseconds * 1_000))
  }

  /// Runs every body on a queue of its own, all from now on, and returns when each of them had ended.
  func endings(_ bodies: [@Sendable () -> Void]) -> [MachineCore.TimeSpan] {
    let begin = now
    let ends = Guarded([MachineCore.TimeSpan](repeating: .zero, count: bodies.count))
    let queues = bodies.indices.map { makeSerialQueue(label: "worker \($0)") }
    for (number, body) in bodies.enumerated() {
      queues[number].async {
        body()
        let end = self.now - begin
        ends.withLock { $0[number] = end }
      }
    }
    for queue in queues { queue.sync {} }
    return ends.withLock { $0 }
  }
}

extension MachineCore.TimeSpan {
  var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}

/// Notes down lines; written from one strand at a time.
final class Notes: Sendable {
  private let list = Guarded<[String]>([])

  var lines: [String] { list.withLock { $0 } }

  func add(_ line: String) {
    list.withLock { $0.append(line) }
  }
}
