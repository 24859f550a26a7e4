import Harness
import MachineCore
import MachineSimulated
import Metrics

extension ThreadReading {
  /// The totals of a simulated machine's strands so far; called on one of them.
  ///
  /// - Parameters:
  ///   - work: The machine's ledger.
  ///   - mainWork: The machine's ledger of the main strand.
  init(of machine: SimulatedMachine, work: WorkLedger, mainWork: WorkLedger) {
    // Asking for the time makes the calling strand pay what it owes.
    _ = machine.now
    self.init(
      cpu: machine.totalCPU, mainCPU: machine.mainCPU, work: WorkCounts(of: work), mainWork: WorkCounts(of: mainWork))
  }
}
