import MachineCore
import MachineSimulated

/// A device with the costs that a test sets, and machines that run on it, for the tests of virtual time.
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
  /// Uses the CPU for some milliseconds, reported a tenth of a millisecond at a time.
  func work(milliseconds: Int) {
    for _ in 0..<(milliseconds * 10) { account(Work(Toy.cpu, count: 100)) }
  }

  /// Uses the storage for some milliseconds.
  func store(milliseconds: Int) {
    account(Work(Toy.storage, count: milliseconds * 1_000))
  }

  /// Runs every body on a new queue, all at the same time. Returns the time at which each body ended, once all have
  /// ended.
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

/// A list of lines, written by one strand at a time.
final class Notes: Sendable {
  private let list = Guarded<[String]>([])

  var lines: [String] { list.withLock { $0 } }

  func add(_ line: String) {
    list.withLock { $0.append(line) }
  }
}
