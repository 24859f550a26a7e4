/// A case of the comparison: one operation that apps apply to many rows.
package enum BenchmarkCase: String, CaseIterable, Sendable {
  case insert
  case fetch
  case fault
  case update
  case delete
  case findOrCreate = "find-or-create"
  case threeLevels = "three-levels"
  case reread
  case mergeUpdates = "merge-updates"
  case mergeInserts = "merge-inserts"
  case mergeRealised = "merge-realised"
  case controller
  case scroll
  case saveOne = "save-one"
  case mergeIntoList = "merge-into-list"
  case cascade
  case prefetch
  case fetchUnsaved = "fetch-unsaved"
  case payloads

  /// The contents of the store before the clock starts.
  package enum StartingStore: String, CaseIterable, Sendable {
    case empty
    /// All rows, in the table without an index over its code.
    case full
    /// Every second row, in the table with the index.
    case half
    /// The rows of a list on screen, in the table of `full`.
    case list
    /// All rows, in the three tables of `Family`.
    case family
  }

  package var startingStore: StartingStore {
    switch self {
    case .insert, .threeLevels, .mergeInserts: .empty
    case .fetch, .fault, .update, .delete, .reread, .mergeUpdates, .mergeRealised: .full
    case .scroll, .saveOne, .mergeIntoList, .fetchUnsaved: .full
    case .findOrCreate, .payloads: .half
    case .controller: .list
    case .cascade, .prefetch: .family
    }
  }

  /// True if the case changes the file, which is then read and compared between the subjects.
  package var writes: Bool {
    switch self {
    case .insert, .update, .delete, .findOrCreate, .threeLevels, .saveOne, .cascade, .payloads: true
    case .fetch, .fault, .reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller: false
    case .scroll, .mergeIntoList, .prefetch, .fetchUnsaved: false
    }
  }

  /// True if the rows that were read, or a list of them, are held when the clock stops, so that their bytes can be
  /// counted.
  package var holdsRows: Bool { self == .fetch || self == .fault || self == .scroll }

  /// The name of one unit of the case where times are printed.
  package var unit: String {
    switch self {
    case .reread: "property"
    case .mergeUpdates, .mergeInserts, .mergeRealised, .controller, .mergeIntoList: "change"
    case .saveOne: "save"
    default: "row"
    }
  }

  /// The unit of time in which the case is printed, and its nanoseconds.
  package var timeUnit: (name: String, nanoseconds: Double) { self == .saveOne ? ("µs", 1_000) : ("ns", 1) }

  /// The peer that does the work of the case with the least around it.
  package var reference: Subject { Subject.raw.takesPart(in: self) ? .raw : .byHand }

  /// The floors and aims of the engine in the case, the first of them against the reference.
  package var targets: [Target] {
    switch self {
    case .insert: targets(floor: 0.50, aim: 0.75, againstRecords: 4, againstPrepared: 1.10)
    case .fetch: targets(floor: 0.50, aim: 0.80, againstRecords: 2.5, againstPrepared: 0.65)
    case .fault: targets(floor: 0.70, aim: 0.82, againstRecords: 5, againstPrepared: 0.90)
    case .update: targets(floor: 0.60, aim: 0.90, againstRecords: 5, againstPrepared: 1.10)
    case .delete: targets(floor: 0.60, aim: 0.80, againstRecords: 4, againstPrepared: 1.20)
    case .findOrCreate: targets(floor: 0.60, aim: 0.85, againstRecords: 2.5, againstPrepared: 1.10)
    case .threeLevels: targets(floor: 0.40, aim: 0.55)
    case .reread: targets(floor: 1, aim: 1)
    case .mergeUpdates: targets(floor: 0.12, aim: 0.50)
    case .mergeInserts: targets(floor: 0.50, aim: 0.50)
    case .mergeRealised: targets(floor: 0.30, aim: 0.50)
    case .controller: targets(floor: 0.50, aim: 0.50)
    case .scroll: targets(floor: 0.45, aim: 0.75, againstRecords: 1.2, againstPrepared: 0.70)
    case .saveOne: targets(floor: 0.35, aim: 0.60, againstRecords: 0.8, againstPrepared: 0.55)
    case .mergeIntoList: targets(floor: 1, aim: 1.50)
    case .cascade: targets(floor: 0.08, aim: 0.30, againstRecords: 1.7, againstPrepared: 0.08)
    case .prefetch: targets(floor: 0.20, aim: 0.50, againstRecords: 1.6, againstPrepared: 0.28)
    case .fetchUnsaved: targets(floor: 0.40, aim: 0.70, againstRecords: 1, againstPrepared: 0.45)
    case .payloads: targets(floor: 0.50, aim: 0.80, againstRecords: 2.2, againstPrepared: 0.90)
    }
  }

  /// Returns a target against the reference, and further ones against GRDB. The aim against prepared statements is the
  /// same in every case.
  private func targets(
    floor: Double, aim: Double, againstRecords: Double? = nil, againstPrepared: Double? = nil
  ) -> [Target] {
    [
      Target(peer: reference, floor: floor, aim: aim),
      againstRecords.map { Target(peer: .grdbRecords, floor: $0, aim: nil) },
      againstPrepared.map { Target(peer: .grdbPrepared, floor: $0, aim: 1.25) },
    ].compactMap(\.self)
  }
}

/// The bounds of a ratio: the peer's time divided by the engine's in the same round.
package struct Target: Hashable, Sendable {
  package var peer: Subject
  /// The least ratio that must be kept.
  package var floor: Double
  /// The ratio that is wanted, or nil if the floor is enough. It is at least the floor.
  package var aim: Double?
}
