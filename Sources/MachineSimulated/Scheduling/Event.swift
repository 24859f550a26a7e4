import MachineCore

/// An event that the scheduler handles for a strand at an instant; ordered by (instant, kind, key, ticket).
///
/// It consists of plain numbers, so that the heap moves it without reference counting.
struct StrandEvent: Comparable {
  var instant: Int64
  var kind: Kind
  /// The order among equal instants and kinds: the ticket itself, or a number shuffled by the schedule's seed.
  var key: UInt64
  var ticket: UInt64
  var strand: Int

  enum Kind: UInt8 {
    /// The strand has paid its charge and continues.
    case resume
    /// The strand has waited long enough and can run again.
    case wake
    /// Other strands may take the strand's core from now on.
    case sliceEnd
  }

  static func < (left: StrandEvent, right: StrandEvent) -> Bool {
    if left.instant != right.instant { return left.instant < right.instant }
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    if left.key != right.key { return left.key < right.key }
    return left.ticket < right.ticket
  }
}

/// A block that is put in line at an instant; ordered by (instant, number of the call).
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
