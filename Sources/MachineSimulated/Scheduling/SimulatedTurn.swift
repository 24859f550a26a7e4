import MachineCore

/// Whose turn it is, handed on in the order of asking: what queues and locks have in common.
// `@unchecked`: guarded by the baton.
final class SimulatedTurn: @unchecked Sendable {
  let label: String
  let scheduler: Scheduler

  /// Who has the turn; of the main queue always the main strand.
  var holder: Strand?
  var line = Line<Entry>()
  var totalWait: Int64 = 0
  /// Folded into the fingerprint, which labels would slow down.
  let number: Int

  enum Entry {
    case strand(Strand)
    case block(Block)
    /// A body for the main strand, and the strand that is parked until it has run.
    case call(HandedOverCall, Strand)

    /// The role of the work that the entry stands for.
    var role: WorkRole {
      switch self {
      case .strand(let strand): strand.activities.role
      case .block(let block): block.role
      case .call(let call, _): call.role
      }
    }
  }

  /// A block in line, with the role that it inherited.
  struct Block {
    /// Of the post.
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

  /// As the trace names it.
  var name: ScheduleQueue { ScheduleQueue(label: label, number: number) }
}
