import MachineCore
import MachineLive
import MachineSimulated
import Testing

/// The machines that the laws hold for; a further machine is one more case.
enum MachineUnderTest: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  case live
  /// Two cores, the main thread first, as a phone has it.
  case simulatedPhone
  /// One core, shared by turns of a millisecond.
  case simulatedSingleCore
  /// Every report charged at once, equal instants shuffled.
  case simulatedShuffled

  var testDescription: String { rawValue }

  /// Runs `body` on a thread that a new machine knows, and stops the machine.
  ///
  /// Expectations belong behind this call and not into `body`: outside the test's own thread nobody knows which test
  /// they are of. All waiting in `body` goes through the seam.
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

  /// A device on which every report costs something, and a commit storage, too.
  private static func device(cores: Int, favoursMain: Bool) -> SimulatedDevice {
    var costs = CostModel()
    for kind in Work.Kind.allCases { costs[kind] = CostModel.Cost(cpuPerCount: 700_300) }
    costs[.commit].storagePerCount = 50_000_000
    return SimulatedDevice(cores: cores, favoursMain: favoursMain, quantum: .milliseconds(1), costs: costs)
  }
}

/// The two sorts of queue that a machine has.
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

/// A queue or lock that tells how many are in line for it, so that a test can wait for a thread to park.
protocol HasLine {
  var waitingCount: Int { get }
}

extension LiveLock: HasLine {}
extension LiveSerialQueue: HasLine {}
extension LiveMainQueue: HasLine {}
extension SimulatedLock: HasLine {}
extension SimulatedSerialQueue: HasLine {}
extension SimulatedMainQueue: HasLine {}
