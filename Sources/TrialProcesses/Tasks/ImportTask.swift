import Foundation
import Glibc
import Harness
import MachineCore
import MachineLive

/// The import of a trial in a second process. It obeys the commands on standard input, after a line with its plan,
/// and reports on standard output.
package enum ImportTask {
  package static let name = "child-import"

  package struct Plan: Codable, Sendable {
    package var trial: TrialPlan
    /// The time of the system's monotonic clock at which the clock of the trial's machine reads zero.
    package var clockOrigin: Int64
    /// The cores to which the threads are bound, or nil to leave the choice to the system.
    package var cores: [Int]?

    package init(trial: TrialPlan, clockOrigin: Int64, cores: [Int]? = nil) {
      self.trial = trial
      self.clockOrigin = clockOrigin
      self.cores = cores
    }
  }

  /// Reads the plan and obeys commands until standard input is closed, and ends the process then, even in the middle of
  /// an import.
  package static func run() -> Never {
    Lifeline.watch()
    var service: ImportService?
    Lines.each(of: STDIN_FILENO) { line in
      let data = Data(line.utf8)
      if let service {
        guard let command = try? JSONDecoder().decode(ImportCommand.self, from: data) else {
          fatalError("a line on standard input is not a command: \(line)")
        }
        service.obey(command)
      } else if let plan = try? JSONDecoder().decode(Plan.self, from: data) {
        service = makeService(plan)
      } else {
        fatalError("the first line on standard input is not a plan: \(line)")
      }
    }
    _exit(EXIT_SUCCESS)
  }

  private static func makeService(_ plan: Plan) -> ImportService {
    let work = WorkLedger()
    let machine = LiveMachine(ledger: work, trace: nil, clockOrigin: plan.clockOrigin)
    if let cores = plan.cores, let first = cores.first { machine.bindThreads(mainCore: first, otherCores: cores) }
    let output = Guarded(STDOUT_FILENO)
    return ImportService(
      plan: plan.trial, machine: TrialTask.measured(machine), work: work, instruments: .live(),
      send: { report in
        #if UNDER_SANITIZER
          if case .closed = report { LeakCheck.run() }
        #endif
        output.withLock { Lines.write(Lines.json(report), to: $0) }
      },
      failure: { failure(of: $0, in: plan.trial.scratch) })
  }

  private static func failure(of error: any Error, in folder: String) -> ImportFailure {
    let failure = RunFailure.unexpected(error, in: folder)
    return ImportFailure("failed: \(failure)", isFullDisk: failure.kind == .diskFull)
  }
}
