import MachineCore
import MachineLive
import Testing

/// The machines that the laws hold for; a further machine is one more case.
enum MachineUnderTest: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  case live

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
    }
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
