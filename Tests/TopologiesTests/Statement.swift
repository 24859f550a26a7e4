/// A statement as SQLite's trace callback reported it, and where it ran.
struct Statement: Sendable {
  let sql: String
  let place: Place

  /// The thread of a statement, and the contexts whose queues it held, parents first.
  struct Place: Hashable, Sendable, CustomStringConvertible {
    var isOnMain: Bool
    var holding: [String]

    var description: String { "\(isOnMain ? "on" : "off") main, holding \(holding)" }
  }

  var isTransaction: Bool { sql.hasPrefix("BEGIN") || sql.hasPrefix("COMMIT") }
  var isKeyReservation: Bool { sql.contains("Z_PRIMARYKEY") }
  var isRead: Bool { sql.hasPrefix("SELECT") && !isKeyReservation }
  /// The query of a sorted list.
  var isListQuery: Bool { isRead && sql.contains("ORDER BY") }
  /// True for all statements of a write: transactions, keys and rows.
  var isWrite: Bool { !isRead }
}
