import ContextEngine
import Foundation
import MachineCore
import Metrics
import Topologies
import Workloads

/// A check of a trial that is at rest: of the lists that its screens show, and of the store that it leaves.
struct TrialVerifier {
  let machine: any Machine
  let archive: WorkloadArchive
  let schema: EngineSchema
  let topology: Topology
  /// True if the import looks for the rows of its records before it inserts them.
  let findsRows: Bool

  /// Reads the screens, closes the session, checks the store's file, and sets the measures of the result.
  ///
  /// - Returns: Sentences that say what is wrong with the data and is not tolerated.
  func verify(
    _ session: TrialSession, journal: EditJournal, computations: [Computation.Record]?, storePath: String,
    baseStore: String, measures: inout TrialMeasures
  ) throws -> [String] {
    let answer = try archive.answer()
    let lists = session.screens.map { screen in
      machine.mainQueue.sync { showsLongList(screen, answer, journal) ? nil : rows(of: screen) }
    }
    try session.close()
    let checker = StoreChecker(schema: archive.schema)
    let options = session.stack.options
    let shared = archive.options.overlap > 0 ? try sharedRowRules(options.mergePolicy) : nil
    var report = try checker.check(
      storeAt: URL(fileURLWithPath: storePath), against: answer, journal: journal,
      history: topology.tolerates.contains(.outOfOrder) ? try archive.history() : nil,
      base: archive.schema.startsFromStore ? URL(fileURLWithPath: baseStore) : nil,
      right: shared == nil
        ? archive.value(named: "right store") { RightStore(answer, schema: archive.schema) } : nil, shared: shared,
      isOvertaken: topology.mayKeepEarlierValues)
    if let computations {
      let missed = session.missedInputs
      measures.set(
        try check(
          computations.map { $0.considering(missed) }, storePath: storePath, runPolicy: options.mergePolicy,
          report: &report))
    }
    let (contents, lostEdits) = (report.contents, report.lostEdits)
    let listChecker = { [archive] (entity: Int, list: ShownList?) in
      if let contents {
        let right = ListChecker.RightList(entity: entity, list: list, schema: archive.schema, contents: contents)
        return ListChecker(right, excused: lostEdits)
      }
      let name = "right list of entity \(entity)" + (list == nil ? "" : " with its condition")
      let right = archive.value(named: name) {
        ListChecker.RightList(entity: entity, list: list, schema: archive.schema, answer: answer)
      }
      return ListChecker(right, journal: journal, excused: lostEdits)
    }
    for case (let screen, let rows?) in zip(session.screens, lists) {
      let list = listChecker(screen.entity.description.index, archive.schema.list)
      report.add(list.compare(rows), screen: "screen \(screen.number)")
    }
    let pooled = PooledObjects(archive: archive, schema: schema, stack: session.stack).stale { listChecker($0, nil) }
    for difference in pooled { report.add(difference, pool: topology.importContext) }
    var tolerated = Set(topology.tolerates.compactMap { ToleratedDefect(rawValue: $0.rawValue) })
    if shared != nil, topology.importsInSeparateContexts || !findsRows { tolerated.insert(.duplicates) }
    // A uniqueness constraint makes two new objects of main one row. The list shows both until it is fetched again.
    if shared != nil, archive.schema.hasUniqueValues, topology.importsThroughParents { tolerated.insert(.staleRows) }
    if topology.mayLoseEdits(under: options.mergePolicy) { tolerated.insert(.lostEdits) }
    // A merge skips updated objects that are not realised, as Core Data's does. A controller is therefore not notified
    // of changes of their sort keys, and such a row stays in its place. Firing the objects before the merge reduces
    // this but does not prevent it: while merges wait in line, newer rows are read, and a binary search finds the list
    // unsorted.
    if archive.changesSortKeys, topology.mergesSaves {
      tolerated.insert(.staleRows)
    }
    // A task may save a row again that another has deleted. A merge takes this for a change of an object that the context
    // does not have, and skips it.
    if topology.importsAtOnce { tolerated.insert(.staleRows) }
    measures.storeDigest = report.contents == nil ? report.digest : nil
    measures.verified = report.isVerified(tolerating: tolerated) ? 1 : 0
    measures.duplicatesCount = Int64(report.duplicatesCount)
    measures.lostEditsCount = Int64(report.lostEditsCount)
    measures.staleRowsCount = Int64(report.staleRowsCount)
    return report.complaints(tolerating: tolerated)
  }

  /// Returns the rules for rows that several lanes write, as the contexts of the import write them.
  private func sharedRowRules(_ runPolicy: MergePolicy) throws -> SharedRowRules {
    let chain = topology.chain(from: topology.importContext)
    let policy = chain.last?.mergePolicy ?? runPolicy
    // A push into a parent copies the changed properties only.
    let mergesProperties = topology.importsThroughParents || policy == .objectTrump || policy == .storeTrump
    return SharedRowRules(
      try archive.sharedRows(), mergesProperties: mergesProperties,
      restoresContents: policy == .rollback || policy == .overwrite)
  }

  /// Checks the inputs of computations, and returns the measures of the computations.
  private func check(
    _ computations: [Computation.Record], storePath: String, runPolicy: MergePolicy, report: inout VerificationReport
  ) throws -> ComputationMeasures {
    let inputCount = ComputationInputs.largestComputationCount * ComputationInputs.countPerComputation
    let check = ComputationCheck(
      entity: ComputationInputs.entityName,
      amounts: (0..<Int64(inputCount)).map(ComputationInputs.amount),
      mayRestore: topology.mayRestoreDeletedRows(under: runPolicy))
    let restored = try check.check(
      storeAt: URL(fileURLWithPath: storePath),
      against: computations.map { computation in
        ComputationCheck.Fact(
          numbers: ComputationInputs.numbers(of: computation.number), deleted: computation.deletedInput,
          isSaved: computation.isSaved)
      }, &report)
    return ComputationMeasures(
      fates: zip(computations, restored).map { $1 ? .failed : $0.fate }, restoredCount: restored.count { $0 },
      waits: computations.map(\.wait))
  }

  /// Returns the rows of a screen's whole list, read in the same way as cells. Call it on the main queue.
  private func rows(of screen: Screen) -> [ListChecker.Row] {
    screen.context.event {
      screen.rows?.loadAll()
      return (screen.rows.map(Array.init) ?? []).map { row(of: $0, in: screen) }
    }
  }

  private func row(of object: ManagedObject, in screen: Screen) -> ListChecker.Row {
    // The object of a deleted row has no key. It is still a row of the list, and one too many.
    let key = screen.entity.key(of: object, among: archive.numberedRows) ?? .string("gone \(object.objectID)")
    return ListChecker.Row(key: key, shown: screen.entity.shown.map { FieldValue(object[$0]) })
  }

  /// Returns true if a screen shows what the answer says and the answer is so long that its rows are in a file. Call it
  /// on the main queue.
  ///
  /// Rows that several records may have made in the end are not in the answer, so such lists are compared as others are.
  private func showsLongList(_ screen: Screen, _ answer: Answer, _ journal: EditJournal) -> Bool {
    guard archive.options.overlap == 0, !topology.mayKeepEarlierValues,
      var check = LongListCheck(
        entity: screen.entity.description.index, list: archive.schema.list, schema: archive.schema, answer: answer,
        journal: journal)
    else { return false }
    let count = screen.context.event { screen.rows?.count ?? 0 }
    // The context releases the objects of one event at its end.
    for first in stride(from: 0, to: count, by: 1_000) {
      screen.context.event {
        screen.rows?.forEachObject(at: first..<min(first + 1_000, count)) { check.add(row(of: $0, in: screen)) }
      }
    }
    return check.isRight
  }
}

extension MergePolicy {
  /// True if an acknowledged edit may be lost: because the state of the store takes precedence over it, or because an
  /// import that read the row before the edit writes the whole row.
  fileprivate var losesEdits: Bool {
    switch self {
    case .error, .objectTrump: false
    case .storeTrump, .overwrite, .rollback: true
    }
  }
}

extension Topology {
  /// Returns true if an acknowledged edit may be lost because of the merge policy of a context or of the run.
  func mayLoseEdits(under runPolicy: MergePolicy) -> Bool {
    (contexts.compactMap(\.mergePolicy) + [runPolicy]).contains(where: \.losesEdits)
  }

  /// Returns true if a save may write a row that another context has deleted, or may ignore a deletion. It takes two
  /// contexts on coordinators. Under the error policy neither happens.
  fileprivate func mayRestoreDeletedRows(under runPolicy: MergePolicy) -> Bool {
    let savers = contexts.filter { $0.parent == nil }
    guard savers.count > 1 || savers.contains(where: { $0.lifetime != .app }) else { return false }
    return savers.contains { ($0.mergePolicy ?? runPolicy) != .error }
  }
}

extension Computation.Record {
  /// Returns the record as a failure if the deleted input is among those that a save could not write, and unchanged
  /// otherwise.
  fileprivate func considering(_ missed: [ObjectID]) -> Computation.Record {
    guard missed.contains(deletedID) else { return self }
    var record = self
    record.fate = .failed
    return record
  }
}
