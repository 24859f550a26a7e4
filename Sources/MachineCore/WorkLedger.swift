import Synchronization

/// The totals of reported work for each role and kind.
///
/// A machine adds to the totals, and a trial reads them. Thread-safe. One call of `add(_:for:)` takes two relaxed
/// atomic additions at most.
public final class WorkLedger: Sendable {
  private let counts = AtomicTable()
  private let bytes = AtomicTable()

  /// Creates a ledger whose totals are 0.
  public init() {}

  /// Adds a report of work to the totals of a role. Never blocks.
  public func add(_ work: Work, for role: WorkRole) {
    counts.add(work.count, role: role, kind: work.kind)
    if work.bytes != 0 {
      bytes.add(work.bytes, role: role, kind: work.kind)
    }
  }

  /// Adds a report of work like `add(_:for:)`, for a machine of which one thread runs at a time.
  package func addAlone(_ work: Work, for role: WorkRole) {
    counts.addAlone(work.count, role: role, kind: work.kind)
    if work.bytes != 0 {
      bytes.addAlone(work.bytes, role: role, kind: work.kind)
    }
  }

  /// Returns the count of a kind of work for a role.
  public func count(_ kind: Work.Kind, for role: WorkRole) -> Int {
    counts.value(role: role, kind: kind)
  }

  /// Returns the count of a kind of work for both roles together.
  public func count(_ kind: Work.Kind) -> Int {
    WorkRole.allCases.reduce(0) { $0 + count(kind, for: $1) }
  }

  /// Returns the number of bytes of a kind of work for a role.
  public func bytes(_ kind: Work.Kind, for role: WorkRole) -> Int {
    bytes.value(role: role, kind: kind)
  }
}

/// A fixed table of atomic integers, one per role and kind.
private final class AtomicTable: @unchecked Sendable {
  // `@unchecked`: the buffer is allocated once, never replaced, and touched through `Atomic` only.
  private let cells: UnsafeMutablePointer<Atomic<Int>>

  init() {
    let count = WorkRole.allCases.count * Work.Kind.allCases.count
    cells = .allocate(capacity: count)
    for index in 0..<count {
      (cells + index).initialize(to: Atomic(0))
    }
  }

  deinit {
    cells.deinitialize(count: WorkRole.allCases.count * Work.Kind.allCases.count)
    cells.deallocate()
  }

  func add(_ amount: Int, role: WorkRole, kind: Work.Kind) {
    cells[index(of: role, kind: kind)].wrappingAdd(amount, ordering: .relaxed)
  }

  /// Adds without the order among threads that an atomic addition takes time for.
  func addAlone(_ amount: Int, role: WorkRole, kind: Work.Kind) {
    let cell = cells + index(of: role, kind: kind)
    cell.pointee.store(cell.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  func value(role: WorkRole, kind: Work.Kind) -> Int {
    cells[index(of: role, kind: kind)].load(ordering: .relaxed)
  }

  private func index(of role: WorkRole, kind: Work.Kind) -> Int {
    Int(role.rawValue) * Work.Kind.allCases.count + Int(kind.rawValue)
  }
}
