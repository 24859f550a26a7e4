/// The rows that a save inserted or changed, as a notification brings them: keys, and new values in the same order.
///
/// The keys have an array for themselves, so that a holder without the rows reads only keys.
struct SavedRows: Sendable {
  let keys: [Int64]
  let items: [Item]

  init(_ rows: [RawRow]) {
    keys = rows.map(\.key)
    items = rows.map(\.item)
  }
}
