/// Chooses the records of each lane that are of shared rows, and keeps each lane's place in the list of these rows.
///
/// A source keeps one list of shared rows. Every lane inserts them in the order of the list, at its own pace, so that
/// lanes insert the same keys at about the same time. A lane updates only shared rows that it has inserted, or that
/// exist before the first payload. No lane deletes a shared row.
struct SharedProgress {
  private let percent: Int
  /// The hundredths of a shared record that are due in each lane. The last element belongs to the existing rows.
  private var due: [Int]
  /// The number of rows at the beginning of the list that each lane has inserted.
  private var insertedCounts: [Int]
  /// The number of rows at the beginning of the list that exist before the first payload.
  private var existingCount = 0

  init(_ options: WorkloadOptions) {
    percent = options.overlap
    due = Array(repeating: 0, count: options.lanes + 1)
    insertedCounts = Array(repeating: 0, count: options.lanes)
  }

  /// True if no record is of a shared row.
  var isEmpty: Bool { percent == 0 }

  /// Returns, for each of a lane's next records, true if it is of a shared row.
  mutating func takeRecords(_ count: Int, lane: Int) -> [Bool] {
    (0..<count).map { _ in isNextShared(lane) }
  }

  /// Returns true if the next existing row is a shared one, which then follows the earlier ones in the list.
  mutating func takeExisting() -> Bool {
    guard isNextShared(due.count - 1) else { return false }
    existingCount += 1
    return true
  }

  private mutating func isNextShared(_ place: Int) -> Bool {
    due[place] += percent
    guard due[place] >= 100 else { return false }
    due[place] -= 100
    return true
  }

  /// Returns the number of rows at the beginning of the list that a lane may update.
  func count(in lane: Int) -> Int { max(existingCount, insertedCounts[lane]) }

  /// Returns the place in the list of the row that a lane inserts next, and counts it as inserted.
  mutating func takePlace(lane: Int) -> Int {
    let place = count(in: lane)
    insertedCounts[lane] = place + 1
    return place
  }
}
