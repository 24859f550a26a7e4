/// A list of rows sorted by name, for a list view that is changed by moves.
package struct SortedList: Sendable {
  /// A row of the list. Rows with equal names are in the order of their keys.
  package struct Entry: Hashable, Comparable, Sendable {
    package var name: String
    package var key: Int64

    package init(name: String, key: Int64) {
      self.name = name
      self.key = key
    }

    package static func < (left: Entry, right: Entry) -> Bool {
      left.name < right.name || (left.key < right.key && left.name == right.name)
    }
  }

  /// A change of the name of a row.
  package struct Renaming: Hashable, Sendable {
    package var key: Int64
    package var oldName: String
    package var newName: String

    package init(key: Int64, oldName: String, newName: String) {
      self.key = key
      self.oldName = oldName
      self.newName = newName
    }
  }

  /// The move of a renamed row. The list has one section, so an index path is the index of a row.
  package struct Move: Hashable, Sendable {
    /// The row under its new name.
    package var entry: Entry
    /// The index path in the list before all moves.
    package var from: Int
    /// The index path in the list after all moves. It is equal to `from` if the row has kept its place.
    package var to: Int
  }

  package private(set) var entries: [Entry]

  /// Creates a list. O(n log n).
  package init(_ entries: [Entry]) {
    self.entries = entries.sorted()
  }

  /// Moves renamed rows to their new places, in one pass over the list.
  ///
  /// Each row is found by binary search. The places of the new names are also found by binary search, in rising order,
  /// and the rows between them are copied as slices. O(n + m log n) for m renamed rows.
  ///
  /// - Parameters:
  ///   - renamings: The renamed rows, each once. All of them must be in the list under their old names.
  ///   - report: A closure that is called with each move once the list has its new order.
  package mutating func process(_ renamings: [Renaming], report: (Move) -> Void) {
    var moves = renamings.map { renaming in
      Move(
        entry: Entry(name: renaming.newName, key: renaming.key),
        from: place(of: Entry(name: renaming.oldName, key: renaming.key), from: 0), to: 0)
    }
    moves.sort { $0.entry < $1.entry }
    var leaving = moves.map(\.from).sorted()[...]
    var result: [Entry] = []
    result.reserveCapacity(entries.count)
    var start = 0
    /// Copies the entries from `start` to `end`, except those that leave their places.
    func copy(to end: Int) {
      while let place = leaving.first, place < end {
        result.append(contentsOf: entries[start..<place])
        start = place + 1
        leaving.removeFirst()
      }
      result.append(contentsOf: entries[start..<end])
      start = end
    }
    for index in moves.indices {
      copy(to: place(of: moves[index].entry, from: start))
      moves[index].to = result.count
      result.append(moves[index].entry)
    }
    copy(to: entries.count)
    entries = result
    for move in moves { report(move) }
  }

  /// Returns the place of the first entry from `start` on that is not less than another entry. O(log n).
  private func place(of entry: Entry, from start: Int) -> Int {
    var (low, high) = (start, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
