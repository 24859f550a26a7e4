import Harness
import MachineCore
import MachineSimulated
import Metrics
import TrialProcesses

extension ThreadReading {
  /// Creates the totals of a simulated machine's strands so far. Call it on one of the strands.
  ///
  /// - Parameters:
  ///   - machine: The machine.
  ///   - work: The machine's ledger.
  ///   - mainWork: The machine's ledger of the main strand.
  init(of machine: SimulatedMachine, work: WorkLedger, mainWork: WorkLedger) {
    // Reading the time makes the calling strand pay for the work that it has reported.
    _ = machine.now
    self.init(
      cpu: machine.totalCPU, mainCPU: machine.mainCPU, work: WorkCounts(of: work), mainWork: WorkCounts(of: mainWork))
  }
}
