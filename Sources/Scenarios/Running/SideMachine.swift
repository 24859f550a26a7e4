import MachineCore
import MachineLive
import MachineSimulated

/// The machine on which a side runs, with the calls that simulated and live machines answer differently.
enum SideMachine: Sendable {
  case simulated(SimulatedMachine)
  case live(LiveMachine, LiveWatch)

  /// The virtual time after which everything that a program posted counts as ended.
  private static let restTime = TimeSpan.seconds(60)

  /// The machine.
  var machine: any Machine {
    switch self {
    case .simulated(let machine): machine
    case .live(let machine, _): machine
    }
  }

  /// Records a step of a store's connection on the calling thread.
  func note(_ step: ScheduleEvent.ConnectionStep, of connection: String) {
    switch self {
    case .simulated(let machine): machine.note(step, of: connection)
    case .live(let machine, _): machine.note(step, of: connection)
    }
  }

  /// Uses processor time on the calling thread.
  func spend(_ span: TimeSpan) {
    switch self {
    case .simulated(let machine): machine.spend(span)
    case .live(let machine, _):
      let end = machine.now + span
      while machine.now < end {}
    }
  }

  /// Blocks the driver until everything that was posted has ended.
  ///
  /// - Throws: `LiveWatch.Deadlock` if threads of a live machine wait for each other in a circle. A simulated machine
  ///   ends its run with a deadlock by itself.
  func rest() throws {
    switch self {
    case .simulated(let machine): machine.wait(until: machine.now + Self.restTime)
    case .live(_, let watch): try watch.waitForStandstill()
    }
  }
}
