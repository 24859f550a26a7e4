import ArgumentParser
import MachineCore
import MachineLive

/// How quiet the machine is, and what its file system costs, before any trial.
struct ProbeCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Measures idle ticks and the file system; started by 'run'.",
    shouldDisplay: false)

  struct Plan: Codable, Sendable {
    /// A folder on the file system that stores will lie on.
    var folder: String
    var seconds: Int
    /// Ticks per second.
    var refreshRate: Int
  }

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> HostProbe {
    let fileSystem = try FileSystem(of: plan.folder)
    let syncs = try SyncProbe(folder: plan.folder).run()
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let lateness = IdleTicks(machine: machine, refreshRate: plan.refreshRate).run(seconds: plan.seconds)
    return HostProbe(fileSystem: fileSystem, syncs: syncs, tickLateness: lateness)
  }
}
