import ContextEngine
import Foundation
import MachineCore
import MachineSimulated

/// One run of a side of a scenario on a simulated machine, in this process.
package struct SideRun: Sendable {
  /// The side.
  package var side: Scenario.Side
  /// The device that the machine simulates.
  package var profile: Profile
  /// The seed of the store's identifier, and of the order of threads with equal instants if it is not nil.
  package var seed: UInt64?
  /// An existing folder in which the run makes the store.
  package var folder: String
  /// The core of this computer for the machine's threads, or nil for the core on which the machine is made.
  package var hostCore: Int?

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - side: The side.
  ///   - profile: The device that the machine simulates.
  ///   - seed: The seed that shuffles threads with equal instants, or nil to run them first come, first served.
  ///   - folder: An existing folder in which the run makes the store.
  ///   - hostCore: The core of this computer for the machine's threads, or nil for the core on which it is made.
  package init(
    _ side: Scenario.Side, on profile: Profile, seed: UInt64? = nil, in folder: String, hostCore: Int? = nil
  ) {
    self.side = side
    self.profile = profile
    self.seed = seed
    self.folder = folder
    self.hostCore = hostCore
  }

  /// Runs the side and passes each entry of its recording to the recorder. Blocks until the machine has come to rest.
  ///
  /// Errors of the program and failures of the machine become the end of the recording. Misuse stops the process.
  package func run(_ recorder: ScenarioRecorder) {
    let work = (main: WorkLedger(), all: WorkLedger())
    let machine = SimulatedMachine(
      profile.device(), options: SimulatedMachineOptions(scheduleSeed: seed, hostCore: hostCore), ledger: work.all,
      mainLedger: work.main, trace: recorder)
    let bench = Bench(
      profile: profile, folder: folder, seed: seed ?? 1, recorder: recorder, work: work, machine: machine)
    do {
      try machine.run { [side] in
        defer { bench.releaseContexts() }
        try side.program(bench)
      }
      recorder.close(with: .ended(.completed))
    } catch let failure as SimulationFailure where failure.code == .deadlock {
      recorder.close(with: .ended(.deadlock(message: failure.message, waits: failure.waits)))
    } catch let error as PersistenceError {
      recorder.close(with: .ended(.stopped(message: "\(error.message) (\(error.code.rawValue))")))
    } catch {
      recorder.close(with: .ended(.stopped(message: "\(error)")))
    }
  }
}
