import Dispatch
import Foundation
import Harness
import MachineCore
import MachineLive
import Testing

/// The import of a stack with two processes, on a machine and a queue of this process. Its messages pass through JSON.
final class NearImport: ImportProcess {
  private let queue = DispatchQueue(label: "second process")
  private let machine: LiveMachine
  private let service: Service

  // `@unchecked`: the service is used on the queue only.
  private final class Service: @unchecked Sendable {
    let service: ImportService

    init(_ service: ImportService) {
      self.service = service
    }
  }

  init(
    _ plan: TrialPlan, clockOrigin: Int64, instruments: TrialInstruments,
    receive: @escaping @Sendable (ImportReport) -> Void
  ) {
    let work = WorkLedger()
    machine = LiveMachine(ledger: work, trace: nil, clockOrigin: clockOrigin)
    service = Service(
      ImportService(
        plan: plan, machine: machine, work: work, instruments: instruments,
        send: { report in
          do {
            receive(try JSONDecoder().decode(ImportReport.self, from: JSONEncoder().encode(report)))
          } catch {
            Issue.record(error)
          }
        },
        failure: { ImportFailure("failed: \($0)") }))
  }

  func send(_ command: ImportCommand) {
    queue.async { [service] in
      do {
        service.service.obey(try JSONDecoder().decode(ImportCommand.self, from: JSONEncoder().encode(command)))
      } catch {
        Issue.record(error)
      }
    }
  }

  func end() {
    queue.sync {}
    machine.stop()
  }
}
