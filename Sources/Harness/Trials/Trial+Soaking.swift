import ContextEngine
import Foundation
import MachineCore
import Metrics
import Workloads

/// The time or the number of rounds after which a soak ends.
package enum SoakLimit: Codable, Hashable, Sendable {
  case rounds(Int)
  /// A soak that ends after a time has a number of rounds at least.
  case time(TimeSpan, leastRounds: Int)

  fileprivate func isReached(after rounds: Int, _ elapsed: TimeSpan) -> Bool {
    switch self {
    case .rounds(let count): rounds >= count
    case .time(let span, let leastRounds): rounds >= leastRounds && elapsed >= span
    }
  }
}

/// The values that the rounds of a soak pass on.
struct SoakProgress {
  /// The instant at which the first round begins.
  let start: Instant
  /// The file of the acknowledged edits and the samples. Lists in memory would grow.
  let journal: AppJournal
  /// The number of the next edit. No two edits write the same note.
  var nextEdit = 0
}

// MARK: - Soaking

extension Trial {
  private static let soakName = "soak.jsonl"

  /// Imports the workload again and again on one stack, while the user scrolls and edits, and checks the data at the end.
  /// Blocks until all of it is done.
  ///
  /// The coordinators, the contexts, the screens and the store stay open. A round ends when everything is shown and
  /// durable. A sample is taken then, and the next round begins. The workload must leave the same rows each time.
  ///
  /// - Parameters:
  ///   - limit: The time or the number of rounds after which the soak ends.
  ///   - contexts: The contexts that the stack has made and that have not been freed.
  ///   - planted: The resource of which a test leaks some in each round, or nil.
  /// - Returns: The samples of all rounds, and sentences that say what is wrong with the data.
  /// - Throws: The error that stopped the import or an edit.
  package func soak(
    until limit: SoakLimit, contexts: LivingContexts, planting planted: SoakedResource? = nil
  ) throws -> (samples: [SoakSample], complaints: [String]) {
    let archive = try instruments.openWorkload(URL(fileURLWithPath: plan.archive))
    let schema = try EngineSchema(archive.schema)
    try startImportProcess()
    defer { endImportProcess() }
    let storePath = path(of: Self.storeFileName)
    try BaseStore.copy(from: plan.baseStore, to: storePath)
    let session = try open(archive, schema: schema, storePath: storePath)
    let file = path(of: Self.soakName)
    var progress = SoakProgress(start: machine.now, journal: try AppJournal(writingTo: file))
    var rounds = 0
    var leak = planted.map { PlantedLeak(of: $0, session, schema, contexts) }
    while !limit.isReached(after: rounds, machine.now - progress.start) {
      try round(of: session, archive, schema, &progress)
      try leak?.grow()
      progress.journal.write(.soaked(try sample(session, contexts, storePath: storePath, since: progress.start)))
      rounds += 1
    }
    leak = nil
    if let failure = progress.journal.failure { throw failure }
    let facts = try AppJournal.facts(in: file)
    var measures = TrialMeasures()
    let complaints = try TrialVerifier(
      machine: machine, archive: archive, schema: schema, topology: plan.topology,
      findsRows: plan.options.lookup != .none
    ).verify(
      session, journal: Self.edits(in: facts), computations: nil, storePath: storePath,
      baseStore: plan.baseStore, measures: &measures)
    let samples = facts.compactMap { if case .soaked(let sample) = $0 { sample } else { nil } }
    return (samples, complaints)
  }

  /// Imports the workload once, and returns when the stack is at rest.
  private func round(
    of session: TrialSession, _ archive: WorkloadArchive, _ schema: EngineSchema, _ progress: inout SoakProgress
  ) throws {
    session.restart()
    machine.mainQueue.sync { mainQueue.restart() }
    let drive = drive(session, archive: archive, schema: schema, soak: progress)
    drive.display.start()
    defer { drive.stop() }
    session.running.start(at: drive.schedule.start)
    drive.edits.start()
    try wait(for: session) { drive.failure != nil || drive.isDone }
    if let failure = drive.failure { throw failure }
    try wait(for: session) { session.isAtRest() && session.isAtRest() && session.edits.isAllDurable }
    progress.nextEdit = drive.edits.next
  }

  private func sample(
    _ session: TrialSession, _ contexts: LivingContexts, storePath: String, since start: Instant
  ) throws -> SoakSample {
    // The last frame may be pending, and the import's process measures itself.
    machine.mainQueue.sync {}
    session.running.openWindow()
    let second = try session.running.closeWindow().resources
    let attributes = try? FileManager.default.attributesOfItem(atPath: storePath + "-wal")
    guard let own = instruments.resources?(contexts.all) else {
      trapMisuse("a soak needs a machine with a process of its own")
    }
    return SoakSample(
      elapsed: machine.now - start, logBytes: (attributes?[.size] as? NSNumber)?.int64Value ?? 0,
      resources: second.map { own + $0 } ?? own)
  }

  /// Returns the acknowledged edits, in their order.
  private static func edits(in facts: [AppJournal.Fact]) -> EditJournal {
    EditJournal(
      facts.compactMap { fact in
        guard case .acknowledged(let edit, let entity, let key) = fact else { return nil }
        return EditJournal.Edit(entity: entity, key: key.recordKey, value: UserEdits.note(ofEdit: edit))
      })
  }
}
