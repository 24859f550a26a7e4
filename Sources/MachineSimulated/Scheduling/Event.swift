import MachineCore

/// What the scheduler does for a strand at an instant; ordered by (instant, kind, key).
///
/// Plain numbers, so that the heap moves them without reference counting.
struct StrandEvent: Comparable {
  var instant: Int64
  var kind: Kind
  /// The ticket's place among equals: itself, or shuffled by the schedule's seed.
  var key: UInt64
  var ticket: UInt64
  var strand: Int

  enum Kind: UInt8 {
    /// The strand's charge is paid; it runs on.
    case resume
    /// The strand has waited long enough; it can run again.
    case wake
    /// Others may have the strand's core from now on.
    case sliceEnd
  }

  static func < (left: StrandEvent, right: StrandEvent) -> Bool {
    if left.instant != right.instant { return left.instant < right.instant }
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    if left.key != right.key { return left.key < right.key }
    return left.ticket < right.ticket
  }
}

/// A block that stands in line from an instant on; ordered by (instant, number of the call).
struct PostEvent: Comparable {
  var instant: Int64
  var number: UInt64
  var turn: SimulatedTurn
  var block: SimulatedTurn.Block

  static func < (left: PostEvent, right: PostEvent) -> Bool {
    left.instant != right.instant ? left.instant < right.instant : left.number < right.number
  }

  static func == (left: PostEvent, right: PostEvent) -> Bool {
    left.number == right.number
  }
}
