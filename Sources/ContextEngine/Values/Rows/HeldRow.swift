/// A row that is retained by hand, so that its contents can be read without counting a reference each time.
///
/// Unsafe: the code that retains a row releases it exactly once and does not use it afterwards.
// `@unchecked Sendable`: this is only an address, and rows can be used from any thread.
package struct HeldRow: @unchecked Sendable {
  private let reference: Unmanaged<RowStorage>

  /// Retains a row.
  package init(_ row: consuming Row) {
    reference = row.retainedStorage
  }

  /// Creates a held row from the address of a row that is retained already.
  init(address: UnsafeRawPointer) {
    reference = .fromOpaque(address)
  }

  var address: UnsafeRawPointer { UnsafeRawPointer(reference.toOpaque()) }

  /// Creates a held row from a row that its owner keeps alive for as long as this is used. It must not be released.
  @inline(__always)
  package init(unretained row: Row) {
    reference = .passUnretained(row.storage)
  }

  /// Retains the row once more and returns it.
  @inline(__always)
  func retained() -> HeldRow {
    _ = reference.retain()
    return self
  }

  /// The row, with a counted reference that may outlive this value.
  package var row: Row { Row(reference.takeUnretainedValue()) }

  /// The `Z_OPT` of the row.
  @inline(__always)
  var version: Int64 { withStorage { $0.withHeader { $0.pointee.form.version } } }

  /// True if others may have the row, which therefore never changes again.
  @inline(__always)
  var isShared: Bool { withStorage { $0.withHeader { $0.pointee.form.isShared } } }

  /// Adds a holder and returns the number of bytes that are now held for the first time; see `RowStorage.hold()`.
  func hold() -> Int { withStorage { $0.hold() } }

  /// Removes a holder and returns the number of bytes that are no longer held; see `RowStorage.letGo()`.
  func letGo() -> Int { withStorage { $0.letGo() } }

  /// Returns true if both are the same memory.
  @inline(__always)
  static func === (left: HeldRow, right: HeldRow) -> Bool {
    left.reference.toOpaque() == right.reference.toOpaque()
  }

  /// Releases the row.
  package func release() { reference.release() }

  /// Calls `body` with the row, which must not be used after `body` returns.
  @inline(__always)
  package func withRow<Result>(_ body: (borrowing Row) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef { body(Row($0)) }
  }

  /// Calls `body` with the row's memory.
  @inline(__always)
  func withStorage<Result>(_ body: (RowStorage) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef(body)
  }
}
