import DequeModule
import MachineCore

/// A turn that one strand has at a time and that passes on in the order of the requests; queues and locks share it.
// `@unchecked`: guarded by the baton.
package final class SimulatedTurn: @unchecked Sendable {
  let label: String
  let scheduler: Scheduler

  /// The strand that has the turn; always the main strand for the main queue.
  var holder: Strand?
  package var line = Deque<Entry>()
  var totalWait: Int64 = 0
  /// The number that identifies the turn in the fingerprint, which labels would slow down.
  let number: Int

  package enum Entry {
    case strand(Strand)
    case block(Block)
    /// A body for the main strand, and the strand that is parked until it has run.
    case call(HandedOverCall, Strand)

    /// The role of the entry's work.
    var role: WorkRole {
      switch self {
      case .strand(let strand): strand.activities.role
      case .block(let block): block.role
      case .call(let call, _): call.role
      }
    }
  }

  /// A block in line, with the role that it inherited.
  package struct Block {
    /// The number of the post.
    var number: Int
    var role: WorkRole
    var body: @Sendable () -> Void
  }

  init(label: String, scheduler: Scheduler, holder: Strand? = nil) {
    self.label = label
    self.scheduler = scheduler
    self.holder = holder
    number = scheduler.makeTurnNumber()
  }

  /// The queue as it appears in the trace.
  var name: ScheduleQueue { ScheduleQueue(label: label, number: number) }
}
