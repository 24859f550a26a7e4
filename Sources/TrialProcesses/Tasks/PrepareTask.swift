import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import Workloads

/// Makes the files that all trials of a run share: the archive of the workload, and the store with the existing rows,
/// which may begin as a copy of a store of the user's.
package enum PrepareTask: ChildTask {
  package static let name = "prepare"

  package struct Plan: Codable, Sendable {
    package var workload: WorkloadOptions
    /// Indicates whether the batch size is the standard one, which is reduced to the number of rows if that is smaller.
    package var isBatchSizeStandard: Bool
    /// Indicates whether a unit has the size of a batch.
    package var isSaveEveryStandard: Bool
    package var options: RunOptions
    /// A folder that exists and is empty.
    package var archive: String
    package var baseStore: String

    package init(
      workload: WorkloadOptions, isBatchSizeStandard: Bool, isSaveEveryStandard: Bool, options: RunOptions,
      archive: String, baseStore: String
    ) {
      self.workload = workload
      self.isBatchSizeStandard = isBatchSizeStandard
      self.isSaveEveryStandard = isSaveEveryStandard
      self.options = options
      self.archive = archive
      self.baseStore = baseStore
    }
  }

  package struct Answer: Codable, Sendable {
    /// The options of the plan, with the actual number of rows and the reduced batch size.
    package var workload: WorkloadOptions
    /// The options of the plan, with the size of a unit.
    package var options: RunOptions
    /// Sentences about the workload for the user.
    package var remarks: [String]
  }

  package static func answer(_ plan: Plan) throws -> Answer {
    try PrepareTask.prepare(plan)
  }

  /// Writes the archive and the store, and returns the completed options. Blocks.
  ///
  /// - Throws: `WorkloadError` if the workload cannot be used, or `RunFailure`.
  package static func prepare(_ plan: Plan) throws -> Answer {
    try copyStore(plan)
    let archive: WorkloadArchive
    do {
      let insertsBlindly = plan.options.lookup == .none || plan.options.strategy == .batchInsert
      archive = try WorkloadArchive.write(
        plan.workload, to: URL(fileURLWithPath: plan.archive), insertsBlindly: insertsBlindly,
        startingRows: plan.workload.store.map { _ in rowsReader(of: plan) })
    } catch {
      switch error.code {
      case .unusableStore:
        throw RunFailure(kind: .badUsage, [.setting(.store), " \(plan.workload.store ?? ""): \(error.message)"])
      case .invalidOption, .unreadableFile, .damagedFeed: throw error
      case .unwritableFolder, .damagedPayload, .damagedArchive: throw RunFailure.unexpected(error, in: plan.archive)
      }
    }
    try check(plan.workload.workload, against: archive)
    var workload = archive.options
    if plan.isBatchSizeStandard, let rows = workload.rows {
      workload.batchSize = min(workload.batchSize, rows)
    }
    var options = plan.options
    if plan.isSaveEveryStandard { options.saveEvery = workload.batchSize }
    try check(saveEvery: options.saveEvery, batchSize: workload.batchSize)
    try PrepareTask.check(options.propertiesToFetch, against: archive.schema)
    try PrepareTask.check(options.strategy, against: archive.schema)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    do {
      try BaseStore.write(
        archive, to: plan.baseStore, options: options, machine: machine,
        instruments: .live(storeIdentifier: TrialInstruments.storeIdentifier(seed: options.seed)))
    } catch let error as PersistenceError where error.code == .invalidModel {
      throw RunFailure(kind: .badUsage, error.message)
    } catch {
      throw RunFailure.unexpected(
        error, "the store of existing rows cannot be made: ",
        in: URL(fileURLWithPath: plan.baseStore).deletingLastPathComponent().path)
    }
    return Answer(workload: workload, options: options, remarks: remarks(of: archive))
  }

  /// Returns the remarks of an archive, after a line with the entities that were inferred from a feed.
  private static func remarks(of archive: WorkloadArchive) -> [String] {
    let isInferred = archive.options.workload.isFeed && archive.options.model == nil
    let references = archive.mapping?.referenceSummary.map { "; references: \($0)" } ?? ""
    return (isInferred ? ["\(inferredStart)\(archive.schema.summary)\(references)"] : []) + archive.remarks
  }

  /// The beginning of a remark about entities that were inferred from a feed.
  package static let inferredStart = "inferred: "

  /// Checks that a unit is not larger than a payload.
  ///
  /// - Throws: `RunFailure` if it is larger.
  package static func check(saveEvery: Int, batchSize: Int) throws {
    guard saveEvery <= batchSize else {
      throw RunFailure(
        kind: .badUsage,
        [
          .setting(.saveEvery),
          " \(saveEvery): over the batch size of \(batchSize); use 1 to \(batchSize), or a larger ",
          .setting(.batchSize),
        ])
    }
  }

  /// Compares a feed with the archive that was made from it, by means of a second reader.
  private static func check(_ workload: Workload, against archive: WorkloadArchive) throws {
    guard case .feed(let path) = workload else { return }
    do {
      try FeedCheck.check(path, against: archive)
    } catch {
      throw RunFailure.failed("\(error)")
    }
  }

  /// Checks that records have no relationships if they are written by batch inserts, which cannot set any.
  ///
  /// - Throws: `RunFailure` for the first relationship.
  private static func check(_ strategy: RunOptions.Strategy, against schema: WorkloadSchema) throws {
    guard strategy == .batchInsert else { return }
    for entity in schema.entities {
      guard let name = entity.relationships.first?.name else { continue }
      throw RunFailure(
        kind: .badUsage,
        "batch inserts cannot set relationships such as \(entity.name).\(name); import objects, or records without "
          + "relationships")
    }
  }

  private static func check(_ properties: [String]?, against schema: WorkloadSchema) throws {
    for property in properties ?? [] {
      let known = schema.entities.map { $0.allAttributes.map(\.name) + $0.links.map(\.name) }
      guard known.contains(where: { $0.contains(property) }) else {
        let names = known.joined().reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        throw RunFailure(
          kind: .badUsage,
          [
            .setting(.propertiesToFetch),
            " \(property): no entity has it; use some of \(names.joined(separator: ", "))",
          ])
      }
    }
  }
}
