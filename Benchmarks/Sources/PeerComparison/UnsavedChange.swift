/// The change that a context has not saved when `fetch-unsaved` fetches: of every hundred rows, one is changed, one is
/// deleted, and one is the pattern of a new row.
package enum UnsavedChange: Sendable {
  case insertion
  case update
  case deletion

  /// The fetch finds rows with a lower rating.
  package static let ratingBound: Int64 = 50_000

  /// Returns the change to the item with an index, or nil if it is not changed.
  package init?(index: Int) {
    switch index % 100 {
    case 3: self = .insertion
    case 5: self = .update
    case 7: self = .deletion
    default: return nil
    }
  }
}

/// The rows that are renamed by each merge into a list.
enum RenamedRows {
  static let passCount = 10

  /// Returns every hundredth index, with another start in each pass.
  static func indices(ofPass pass: Int, in rowCount: Int) -> [Int] {
    Array(stride(from: pass, to: rowCount, by: 100))
  }
}
