/// A row that somebody keeps alive by hand: it is looked into without counting a reference each time.
///
/// Unsafe: whoever makes one releases it, once, and uses it no more afterwards.
// `@unchecked Sendable`: an address; rows go from thread to thread by themselves.
struct HeldRow: @unchecked Sendable {
  private let reference: Unmanaged<RowStorage>

  /// Keeps a row alive.
  init(_ row: consuming Row) {
    reference = row.retainedStorage
  }

  /// A row that is kept already, by its address.
  init(address: UnsafeRawPointer) {
    reference = .fromOpaque(address)
  }

  var address: UnsafeRawPointer { UnsafeRawPointer(reference.toOpaque()) }

  /// A row that somebody else keeps alive for as long as this is used; not to be released.
  @inline(__always)
  init(unretained row: Row) {
    reference = .passUnretained(row.storage)
  }

  /// The same row, kept alive once more.
  @inline(__always)
  func retained() -> HeldRow {
    _ = reference.retain()
    return self
  }

  /// The row, for whoever keeps it longer than this does.
  var row: Row { Row(reference.takeUnretainedValue()) }

  /// `Z_OPT` of the row.
  @inline(__always)
  var version: Int64 { withStorage { $0.withHeader { $0.pointee.version } } }

  /// Whether others may have the row, so that it never changes again.
  @inline(__always)
  var isShared: Bool { withStorage { $0.withHeader { $0.pointee.isShared } } }

  /// Counts one holder more, as `RowStorage.hold()`.
  func hold() -> Int { withStorage { $0.hold() } }

  /// Counts one holder less, as `RowStorage.letGo()`.
  func letGo() -> Int { withStorage { $0.letGo() } }

  /// Whether both are the same memory.
  @inline(__always)
  static func === (left: HeldRow, right: HeldRow) -> Bool {
    left.reference.toOpaque() == right.reference.toOpaque()
  }

  /// Lets the row go.
  func release() { reference.release() }

  /// Calls `body` with the row, whose end it must not outlive.
  @inline(__always)
  func withRow<Result>(_ body: (borrowing Row) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef { body(Row($0)) }
  }

  /// Calls `body` with the row's memory.
  @inline(__always)
  func withStorage<Result>(_ body: (RowStorage) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef(body)
  }
}
