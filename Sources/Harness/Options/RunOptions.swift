import ContextEngine
import MachineCore
import Metrics
import Topologies

/// The options of one run of `stackbench run`, without the topology and the content of the workload. Child processes
/// read them.
package struct RunOptions: Codable, Hashable, Sendable {
  /// The number of records in a unit, which is imported by one fetch, one set of changes and one save.
  package var saveEvery = 2_000
  package var lookup = Lookup.unit
  package var strategy = Strategy.objects
  /// The time between the intended arrivals of payloads. With zero, each payload arrives when its lane has imported the
  /// one before it.
  package var arrivalInterval = TimeSpan.zero
  /// The place where payloads are decoded, or nil for the topology's own.
  package var decode: Topology.DecodePlace?
  package var lanes = 1
  package var viewControllers = 1
  package var visibleRows = 12
  /// The number of rows per second.
  package var scrollSpeed = 30
  /// The time between edits. With zero, the user makes no edits.
  package var userEditInterval = TimeSpan.milliseconds(250)
  package var openScreens = ScreenOpening.before
  /// The number of rows that an edit changes and saves at once.
  package var editRows = 1
  /// The number of rows in a batch of a screen's fetch, or 0 to fetch without batches.
  package var fetchBatchSize = 20
  /// The names of the properties that a screen's fetch reads, or nil for the topology's own.
  package var propertiesToFetch: [String]?
  /// The number of ticks per second.
  package var refreshRate = 60
  /// The time from a tick to the arrival of payload 0, in thousandths of an interval.
  package var arrivalPhase = TickSchedule.middle
  /// The CPU time that one frame uses in addition to reading its cells.
  package var frameWork = TimeSpan.milliseconds(2)
  /// The CPU time that one frame uses for each visible cell. Every screen counts as having `visibleRows` cells.
  package var cellWork = TimeSpan.zero
  package var mergePolicy = MergePolicy.objectTrump
  /// The time at which a root context saves to the store, in stacks that have one.
  package var storeSave = StoreSave.immediate
  /// The policy for computations whose input the user deletes, or `off` to run no computations.
  package var inFlight = InFlight.off
  /// The number of contexts in the pool of a topology that has one, or nil for the topology's own.
  package var poolSize: Int?
  package var connectionPool = 4
  package var journalMode = "wal"
  package var synchronous = "normal"
  /// The number of imports that warm up the trial's process. They use another store, and are not measured.
  package var warmup = 1
  package var seed: UInt64 = 1
  /// The wall time after which a trial counts as hung.
  package var timeLimit = TimeSpan.seconds(120)
  /// The time from w₀ to the death of the app, or nil if it does not die.
  package var killAt: TimeSpan?
  /// The fault in a call of the measured import on its files, or nil if no fault occurs.
  package var fileFault: FileFault?

  /// True if the store keeps its history. It is set for stacks with several coordinators, and nil counts as false.
  package var tracksHistory: Bool?
  /// The name of the store in traces. It is set for the stores of further coordinators, and nil counts as `store`.
  package var storeName: String?

  package init() {}

  /// True if the app dies in the middle of its import, so that a trial has losses in place of measures.
  package var isKilled: Bool { killAt != nil || fileFault?.kind == .powerCut }

  /// The CPU time that a frame uses in addition to reading its cells, for itself and for all its cells.
  package var wholeFrameWork: TimeSpan {
    frameWork + cellWork * Int64(viewControllers * visibleRows)
  }

  /// The way in which an import finds the objects that it updates.
  package enum Lookup: String, Codable, CaseIterable, Sendable {
    /// It makes one fetch for each entity of a unit.
    case unit
    /// It makes one fetch for each record.
    case record
    /// It does not look for objects, and inserts every record.
    case none
  }

  /// The way in which an import writes its records.
  package enum Strategy: String, Codable, CaseIterable, Sendable {
    /// It makes objects in its context and saves them.
    case objects
    /// It makes batch inserts on the coordinator. Their IDs are merged into every context from the root to the UI.
    case batchInsert = "batch-insert"
  }

  /// The policy for computations in the background whose input the user deletes while they run.
  package enum InFlight: String, Codable, CaseIterable, Sendable {
    /// There are no computations.
    case off
    /// The result is applied as if nobody had changed its input.
    case none
    /// A dialog keeps the user from changing anything while a computation runs.
    case modal
    /// The input is locked while a computation runs. The user waits, or cancels the computation.
    case lock
    /// The input is fetched again before the result is applied, and the result is discarded if it has changed.
    case validate
  }

  /// The time at which screens open, which is when they fetch their lists for the first time.
  package enum ScreenOpening: String, Codable, CaseIterable, Sendable {
    /// They open before the window that is measured.
    case before
    /// They open at the arrival of the first payload, within the window.
    case atFirstPayload = "at-first-payload"
  }
}
