import MachineCore
import MachineLive

/// Measures the noise of the computer and the cost of its file system, before any trial.
package enum ProbeTask: ChildTask {
  package static let name = "probe"

  package struct Plan: Codable, Sendable {
    /// A folder on the file system of the stores.
    package var folder: String
    package var seconds: Int
    /// The number of ticks per second.
    package var refreshRate: Int

    package init(folder: String, seconds: Int, refreshRate: Int) {
      self.folder = folder
      self.seconds = seconds
      self.refreshRate = refreshRate
    }
  }

  package static func answer(_ plan: Plan) throws -> HostProbe {
    let fileSystem = try FileSystem(of: plan.folder)
    let syncs = try SyncProbe(folder: plan.folder).run()
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let lateness = IdleTicks(machine: machine, refreshRate: plan.refreshRate).run(seconds: plan.seconds)
    return HostProbe(fileSystem: fileSystem, syncs: syncs, tickLateness: lateness)
  }
}
