import MachineCore
import MachineLive
import MachineSimulated
import Testing

/// The machines that the laws are tested on. A further machine is one more case.
enum MachineUnderTest: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  case live
  /// Two cores, the main thread first, as a phone has it.
  case simulatedPhone
  /// One core, shared by turns of a millisecond.
  case simulatedSingleCore
  /// Every report charged at once, equal instants shuffled.
  case simulatedShuffled

  var testDescription: String { rawValue }

  /// Runs `body` on a thread of a new machine, and stops the machine.
  ///
  /// Expectations must come after this call and not in `body`, because they belong to the test only on the test's own
  /// thread. All waiting in `body` uses the methods of the machine.
  func run<Result: Sendable>(_ body: @escaping @Sendable (MachineBench) throws -> Result) throws -> Result {
    let ledger = WorkLedger()
    let events = EventRecorder()
    switch self {
    case .live:
      let machine = LiveMachine(ledger: ledger, observer: events)
      defer { machine.stop() }
      return try body(MachineBench(machine: machine, ledger: ledger, events: events))
    case .simulatedPhone:
      return try simulate(Self.device(cores: 2, favoursMain: true), SimulatedMachineOptions(), ledger, events, body)
    case .simulatedSingleCore:
      return try simulate(Self.device(cores: 1, favoursMain: false), SimulatedMachineOptions(), ledger, events, body)
    case .simulatedShuffled:
      return try simulate(
        Self.device(cores: 2, favoursMain: false), SimulatedMachineOptions(scheduleSeed: 7, settlement: .atOnce),
        ledger,
        events, body)
    }
  }

  private func simulate<Result: Sendable>(
    _ device: SimulatedDevice, _ options: SimulatedMachineOptions, _ ledger: WorkLedger, _ events: EventRecorder,
    _ body: @escaping @Sendable (MachineBench) throws -> Result
  ) throws -> Result {
    let machine = SimulatedMachine(device, options: options, ledger: ledger, observer: events)
    return try machine.run { try body(MachineBench(machine: machine, ledger: ledger, events: events)) }
  }

  /// Returns a device on which every report uses CPU, and a commit uses storage too.
  private static func device(cores: Int, favoursMain: Bool) -> SimulatedDevice {
    var costs = CostModel()
    for kind in Work.Kind.allCases { costs[kind] = CostModel.Cost(cpuPerCount: 700_300) }
    costs[.commit].storagePerCount = 50_000_000
    return SimulatedDevice(cores: cores, favoursMain: favoursMain, quantum: .milliseconds(1), costs: costs)
  }
}

/// The two kinds of queue that a machine has.
enum QueueKind: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  case main
  case `private`

  var testDescription: String { rawValue }

  func queue(of machine: any Machine) -> any SerialQueue {
    switch self {
    case .main: machine.mainQueue
    case .private: machine.makeSerialQueue(label: "private")
    }
  }
}

/// A queue or lock with the number of threads and blocks in line for it, so that a test can wait for a thread to park.
protocol HasLine {
  var waitingCount: Int { get }
}

extension LiveLock: HasLine {}
extension LiveSerialQueue: HasLine {}
extension LiveMainQueue: HasLine {}
extension SimulatedLock: HasLine {}
extension SimulatedSerialQueue: HasLine {}
extension SimulatedMainQueue: HasLine {}
