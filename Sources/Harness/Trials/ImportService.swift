import ContextEngine
import Foundation
import MachineCore
import Metrics
import Workloads

/// The import of a trial in the process that only imports. It obeys the commands of the app's process.
///
/// Call `obey(_:)` on one thread, in the order of the commands.
package final class ImportService {
  private let plan: TrialPlan
  private let machine: any Machine
  private let work: WorkLedger
  private let instruments: TrialInstruments
  private let send: @Sendable (ImportReport) -> Void
  private let failure: @Sendable (any Error) -> ImportFailure
  private var session: TrialSession?
  private var contextsMadeBefore = 0
  private var workBefore = WorkCounts()
  private var busyRetriesBefore = 0
  private var cpuBefore = TimeSpan.zero

  /// Creates a service without an open store.
  ///
  /// - Parameters:
  ///   - plan: The trial whose import this is.
  ///   - machine: A machine whose instants are those of the machine of the app's process.
  ///   - work: The ledger of that machine.
  ///   - instruments: The instruments of this process.
  ///   - send: A closure that sends a report to the app's process. It is called on any thread.
  ///   - failure: Returns the failure that is reported for an error.
  package init(
    plan: TrialPlan, machine: any Machine, work: WorkLedger, instruments: TrialInstruments,
    send: @escaping @Sendable (ImportReport) -> Void, failure: @escaping @Sendable (any Error) -> ImportFailure
  ) {
    self.plan = plan
    self.machine = machine
    self.work = work
    self.instruments = instruments
    self.send = send
    self.failure = failure
  }

  /// Executes a command, and reports an error that it meets.
  package func obey(_ command: ImportCommand) {
    do {
      try execute(command)
    } catch {
      send(.failed(failure(error)))
    }
  }

  private func execute(_ command: ImportCommand) throws {
    switch command {
    case .open(let store, let recordLimit): try open(store, recordLimit: recordLimit)
    case .openWindow:
      instruments.heap.openWindow()
      cpuBefore = instruments.processCPU()
    case .start(let windowStart):
      session?.restart()
      session?.running.start(at: windowStart)
    case .closeWindow: send(.measured(figures))
    case .close:
      try session?.close()
      session = nil
      send(.closed)
    }
  }

  private func open(_ store: String, recordLimit: Int?) throws {
    let archive = try WorkloadArchive(opening: URL(fileURLWithPath: plan.archive))
    contextsMadeBefore = work.count(.contextMade)
    session = try TrialSession(
      .init(
        machine: machine, plan: plan, archive: archive, schema: EngineSchema(archive.schema), instruments: instruments,
        storePath: store, process: .importing(send: send, failure: failure), recordLimit: recordLimit))
    workBefore = WorkCounts(of: work)
    busyRetriesBefore = instruments.busyRetries.count
    send(.opened)
  }

  private var figures: ImportFigures {
    let heap = instruments.heap.closeWindow()
    return ImportFigures(
      work: WorkCounts(of: work) - workBefore, contextsMadeCount: work.count(.contextMade) - contextsMadeBefore,
      cpu: instruments.processCPU() - cpuBefore, heap: heap,
      busyRetriesCount: instruments.busyRetries.count - busyRetriesBefore,
      resources: session.flatMap { instruments.resources?($0.stack.lastingContexts) })
  }
}
