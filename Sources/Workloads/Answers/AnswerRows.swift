import Foundation

/// The rows of a model by their names.
///
/// With a file, only the rows that were used last are in memory. When these take more than a number of bytes, they are
/// written to the file.
struct AnswerRows: Sendable {
  typealias Name = AnswerModel.RowName
  typealias Row = AnswerModel.StoredRow

  /// The rows in memory, by the key root. A row that is in the file too is newer here.
  private var recent: [[RecordKey: Row]]
  private let file: RowFile?
  /// The bytes that the rows in memory take, about, and the number at which they are written to the file.
  private var byteCount = 0
  private let byteLimit: Int

  /// Creates a value without rows.
  ///
  /// - Parameters:
  ///   - rootCount: The number of entities.
  ///   - file: The file of the rows that are not in memory, or nil to keep all rows in memory. A copy of this value has
  ///     the same file, so that only one of both may change.
  ///   - byteLimit: The number of bytes of rows in memory at which these are written to the file.
  init(rootCount: Int, file: RowFile?, byteLimit: Int) {
    recent = Array(repeating: [:], count: rootCount)
    self.file = file
    self.byteLimit = byteLimit
  }

  /// The row with a name, or nil if there is no such row.
  subscript(name: Name) -> Row? {
    get { recent[name.root][name.key] ?? file?.row(name) }
    _modify {
      guard let file else {
        yield &recent[name.root][name.key]
        return
      }
      if let known = recent[name.root][name.key] {
        byteCount -= known.byteCount
      } else {
        recent[name.root][name.key] = file.row(name)
      }
      yield &recent[name.root][name.key]
      if let row = recent[name.root][name.key] {
        byteCount += row.byteCount
        if byteCount > byteLimit { flush(to: file) }
      } else {
        file.remove(name)
      }
    }
  }

  private mutating func flush(to file: RowFile) {
    file.write(recent)
    for root in recent.indices { recent[root].removeAll(keepingCapacity: true) }
    byteCount = 0
  }

  /// Calls a closure with each row of a root, in ascending order of the keys.
  ///
  /// - Throws: The error of `body`, or `WorkloadError` if the file could not be written or read.
  func forEach(_ root: Int, _ body: (RecordKey, Row) throws(WorkloadError) -> Void) throws(WorkloadError) {
    guard let file, !file.isEmpty else {
      for key in recent[root].keys.sorted() {
        if let row = recent[root][key] { try body(key, row) }
      }
      return
    }
    file.write(recent)
    try file.forEach(root, body)
  }
}

extension AnswerModel.StoredRow {
  /// The bytes that the row takes in memory, about.
  fileprivate var byteCount: Int {
    let keyCount = targets.reduce(0) { $0 + $1.count } + wanted.reduce(0) { $0 + $1.count }
    return values.reduce(256 + 64 * targets.count + 40 * keyCount) { $0 + $1.byteCount }
  }
}

extension FieldValue {
  /// The bytes that the value takes in memory, about.
  fileprivate var byteCount: Int {
    switch self {
    case .string(let text), .uri(let text): 32 + text.utf8.count
    case .binary(let data): 32 + data.count
    default: 32
    }
  }
}
