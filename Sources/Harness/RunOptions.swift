import ContextEngine
import MachineCore
import Metrics
import Topologies

/// What one run of `stackbench run` varies, apart from the topology and the workload's content: plain values that a
/// child process reads back.
package struct RunOptions: Codable, Hashable, Sendable {
  /// Records per unit: one fetch, one set of changes, one save.
  package var saveEvery = 2_000
  package var lookup = Lookup.unit
  package var strategy = Strategy.objects
  /// Between payloads, intended arrival to intended arrival; zero = closed loop.
  package var arrivalInterval = Span.zero
  /// Where payloads are parsed; nil = where the topology says.
  package var decode: DecodePlace?
  package var lanes = 1
  package var viewControllers = 1
  package var visibleRows = 12
  /// Rows per second.
  package var scrollSpeed = 30
  /// Between edits; zero = the user edits nothing.
  package var userEditInterval = Span.milliseconds(250)
  /// 0 = no batching.
  package var fetchBatchSize = 20
  /// What a screen's fetch reads; nil = what the topology says.
  package var propertiesToFetch: [String]?
  /// Ticks per second.
  package var refreshRate = 60
  /// Where between two ticks payload 0 arrives, in thousandths of an interval.
  package var arrivalPhase = TickSchedule.middle
  /// CPU that one frame spends beside reading its cells.
  package var frameWork = Span.milliseconds(2)
  /// CPU that one frame spends on each visible cell, of which every screen counts as having `visibleRows`.
  package var cellWork = Span.zero
  package var mergePolicy = MergePolicy.objectTrump
  /// When a root saves to the store; in stacks that have one.
  package var storeSave = StoreSave.immediate
  package var connectionPool = 4
  package var journalMode = "wal"
  package var synchronous = "normal"
  /// Throw-away imports before the trial, in its process, into another store.
  package var warmup = 1
  package var seed: UInt64 = 1
  /// Wall time after which a trial counts as hung.
  package var timeLimit = Span.seconds(120)
  /// From w₀ to the death of the app; nil = it lives.
  package var killAt: Span?

  package init() {}

  /// CPU that a frame spends beside reading its cells, on the frame and on their cells.
  package var wholeFrameWork: Span {
    frameWork + cellWork * Int64(viewControllers * visibleRows)
  }

  /// How an import finds the objects that it updates.
  package enum Lookup: String, Codable, CaseIterable, Sendable {
    /// One fetch per entity and unit.
    case unit
    /// One fetch a record.
    case record
    /// None: every record is inserted.
    case none
  }

  /// How an import writes its records.
  package enum Strategy: String, Codable, CaseIterable, Sendable {
    /// Objects of the import's context, which that saves.
    case objects
    /// Batch inserts on the coordinator, whose IDs are merged into every context from the root to the UI.
    case batchInsert = "batch-insert"
  }

  package enum DecodePlace: String, Codable, CaseIterable, Sendable {
    /// On the lane's network queue.
    case network
    /// Inside the import block.
    case `import`
  }
}
