import ContextEngine
import Foundation
import MachineCore
import MachineLive
import MachineSimulated
import TrialProcesses

/// One run of a side of a scenario in this process.
struct SideRun: Sendable {
  let side: Scenario.Side
  /// The machine on which the side runs.
  let machine: ScenarioMachine
  /// An existing folder in which the run makes the store.
  let folder: String
  /// The explorer that chooses the order of the threads, or nil for the schedule of the device.
  var explorer: ScheduleExplorer?
  /// The number of events after which the run counts as one that does not end.
  var eventLimit = Int.max

  /// Runs the side and passes each entry of its recording to the recorder. Blocks until the machine has come to rest.
  ///
  /// Errors of the program and failures of the machine become the end of the recording. Misuse stops the process. The
  /// threads of a deadlock stay until the process ends.
  ///
  /// - Returns: True if the side has come to its end.
  @discardableResult
  func run(_ recorder: StepRecorder) -> Bool {
    do {
      switch machine {
      case .live: try runLive(recorder)
      case .simulated(let profile, let seed, let draw): try runSimulated(recorder, profile, seed, draw)
      }
      recorder.close(with: .ended(.completed))
      return true
    } catch let failure as SimulationFailure where failure.code == .deadlock {
      recorder.close(with: .ended(.deadlock(message: failure.message)))
    } catch let deadlock as LiveWatch.Deadlock {
      recorder.close(with: .ended(.deadlock(message: deadlock.message)))
    } catch let error as PersistenceError {
      recorder.noteFailure(of: error)
      recorder.close(with: .ended(.stopped(message: "\(error.message) (\(error.code.rawValue))")))
    } catch {
      recorder.close(with: .ended(.stopped(message: "\(error)")))
    }
    return false
  }

  /// The standard seed of runs of stacks, so that a draw of both is the same device.
  private static let deviceSeed: UInt64 = 1

  /// The virtual time after which everything that a program posted counts as ended.
  private static let restTime = TimeSpan.seconds(60)

  private func runSimulated(
    _ recorder: StepRecorder, _ profile: Profile, _ seed: UInt64?, _ draw: Int?
  ) throws {
    let work = (main: WorkLedger(), all: WorkLedger())
    let device = Simulation(profile: profile, seed: Self.deviceSeed, isTraced: false, draw: draw).device
    let machine = SimulatedMachine(
      device, options: SimulatedMachineOptions(scheduleSeed: seed, eventLimit: eventLimit, explorer: explorer),
      ledger: work.all,
      mainLedger: work.main, trace: recorder)
    let sideMachine = SideMachine(
      machine: machine, note: { machine.note($0, of: $1) }, spend: { machine.spend($0) },
      rest: { machine.wait(until: machine.now + Self.restTime) })
    let bench = Bench(
      sideMachine, era: profile.era, folder: folder, seed: seed ?? 1, recorder: recorder, work: work)
    try machine.run { [side] in
      defer { bench.releaseContexts() }
      try side.program(bench)
    }
  }

  private func runLive(_ recorder: StepRecorder) throws {
    let work = (main: WorkLedger(), all: WorkLedger())
    let watch = LiveWatch(recorder)
    let machine = LiveMachine(ledger: work.all, mainLedger: work.main, trace: LiveTrace(passingTo: watch))
    let sideMachine = SideMachine(
      machine: machine, note: { machine.note($0, of: $1) },
      spend: { span in
        let end = machine.now + span
        while machine.now < end {}
      }, rest: { try watch.waitForStandstill() })
    let bench = Bench(sideMachine, era: nil, folder: folder, seed: 1, recorder: recorder, work: work)
    try side.program(bench)
    bench.releaseContexts()
    machine.stop()
  }
}
