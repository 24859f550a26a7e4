import ArgumentParser
import Foundation
import Harness
import MachineCore
import MachineLive
import Verification
import Workloads

/// What all trials of a run share, made once: the workload's archive, and the store with the existing rows.
struct PrepareCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Writes a run's workload and base store; started by 'run'.",
    shouldDisplay: false)

  struct Plan: Codable, Sendable {
    var workload: WorkloadOptions
    /// Whether the batch size was asked for; the standard one is at most the rows, which a feed alone knows.
    var isBatchSizeStandard: Bool
    /// Whether a unit is a batch.
    var isSaveEveryStandard: Bool
    var options: RunOptions
    /// A folder that exists and is empty.
    var archive: String
    var baseStore: String
  }

  struct Answer: Codable, Sendable {
    /// As asked for, with a feed's own size filled in.
    var workload: WorkloadOptions
    /// As asked for, with the size of a unit filled in.
    var options: RunOptions
  }

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> Answer {
    try PrepareCommand.prepare(plan)
  }

  /// Writes both. Blocks.
  ///
  /// - Throws: `CommandFailure`.
  static func prepare(_ plan: Plan) throws -> Answer {
    let archive: WorkloadArchive
    do {
      archive = try WorkloadArchive.write(plan.workload, to: URL(fileURLWithPath: plan.archive))
    } catch {
      switch error.code {
      case .invalidOption, .unreadableFile, .damagedFeed:
        throw CommandFailure.usage(SettingNames.message(of: error))
      case .unwritableFolder, .damagedPayload, .damagedArchive: throw CommandFailure.unexpected(error, in: plan.archive)
      }
    }
    try check(plan.workload.workload, against: archive)
    var workload = archive.options
    if plan.isBatchSizeStandard, let rows = workload.rows {
      workload.batchSize = min(workload.batchSize, rows)
    }
    var options = plan.options
    if plan.isSaveEveryStandard { options.saveEvery = workload.batchSize }
    try Experiment.check(saveEvery: options.saveEvery, batchSize: workload.batchSize)
    try PrepareCommand.check(options.propertiesToFetch, against: archive.schema)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    do {
      try BaseStore.write(
        archive, to: plan.baseStore, options: options, machine: machine,
        instruments: .live(storeIdentifier: TrialInstruments.storeIdentifier(seed: options.seed)))
    } catch {
      throw CommandFailure.unexpected(
        error, "the store of existing rows cannot be made: ",
        in: URL(fileURLWithPath: plan.baseStore).deletingLastPathComponent().path)
    }
    return Answer(workload: workload, options: options)
  }

  /// Compares a feed with what was read from it, by a second reader.
  private static func check(_ workload: Workload, against archive: WorkloadArchive) throws {
    guard case .feed(let path) = workload else { return }
    do {
      try FeedCheck.check(path, against: archive)
    } catch {
      throw CommandFailure.failed("\(error)")
    }
  }

  private static func check(_ properties: [String]?, against schema: WorkloadSchema) throws {
    for property in properties ?? [] {
      let known = schema.entities.map { $0.allAttributes.map(\.name) + $0.links.map(\.name) }
      guard known.contains(where: { $0.contains(property) }) else {
        let names = known.joined().reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        throw CommandFailure.usage(
          "--properties-to-fetch \(property): no entity has it; use some of \(names.joined(separator: ", "))")
      }
    }
  }
}
