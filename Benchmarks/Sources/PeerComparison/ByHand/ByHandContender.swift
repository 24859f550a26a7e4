/// Structs in a dictionary and in a sorted array, as an app without an engine holds and refreshes its rows.
package struct ByHandContender: Contender {
  package let subject = Subject.byHand

  package init() {}

  package func perform(_ assignment: Assignment) async throws -> Sample {
    try ByHandRun(database: try RawDatabase(path: assignment.path), assignment: assignment).sample()
  }
}

/// One case over rows that are read from a store beforehand.
private struct ByHandRun: CaseRun {
  let subject = Subject.byHand
  let database: RawDatabase
  let assignment: Assignment
  let stopwatch: Stopwatch

  init(database: RawDatabase, assignment: Assignment) {
    self.database = database
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
  }

  /// Looks each row up by its key and reads its five values. A unit is one value.
  func reread() throws -> Sample {
    let rows = try database.rows(of: .plain)
    let keys = rows.map(\.key)
    let held = HeldRows(rows)
    let expected = checksum(of: keys, in: held)
    stopwatch.start()
    let checksum = checksum(of: keys, in: held)
    stopwatch.lap("look up and read five values")
    stopwatch.stop()
    guard checksum == expected else {
      throw PeerError(.disagreement, "structs read twice had other values the second time")
    }
    return stopwatch.sample(of: 5 * keys.count, checksum: checksum)
  }

  private func checksum(of keys: [Int64], in held: HeldRows) -> Int {
    var checksum = 0
    for key in keys {
      if let item = held[key] { checksum &+= item.checksum }
    }
    return checksum
  }
}

// MARK: - Merging

extension ByHandRun {
  /// Looks each changed row up in an empty dictionary.
  func mergeUpdates() throws -> Sample {
    let saved = try changedRows()
    var held = HeldRows()
    stopwatch.start()
    let refreshedCount = held.refresh(from: saved)
    stopwatch.lap("look up")
    stopwatch.stop()
    guard refreshedCount == 0 else { throw PeerError(.disagreement, "a row was found in an empty dictionary") }
    return stopwatch.sample(of: saved.keys.count, checksum: saved.keys.count)
  }

  /// Adds all inserted rows to an empty dictionary, and then removes each by its key.
  ///
  /// The engine's context registers all of them first. It releases them one by one at the end of its block, because no
  /// list holds them.
  func mergeInserts() throws -> Sample {
    let saved = SavedRows(
      assignment.items.items.enumerated().map { RawRow(key: Int64($0.offset + 1), version: 1, item: $0.element) })
    var held = HeldRows()
    stopwatch.start()
    held.add(saved)
    stopwatch.lap("add")
    held.remove(saved.keys)
    stopwatch.lap("remove")
    stopwatch.stop()
    guard held.isEmpty else { throw PeerError(.disagreement, "a dictionary kept rows that were removed") }
    return stopwatch.sample(of: saved.keys.count, checksum: saved.keys.count)
  }

  /// Replaces the values of every row in a dictionary that holds all rows.
  func mergeRealised() throws -> Sample {
    let rows = try database.rows(of: .plain)
    var held = HeldRows(rows)
    let saved = try changedRows()
    stopwatch.start()
    let refreshedCount = held.refresh(from: saved)
    stopwatch.lap("refresh")
    stopwatch.stop()
    let isRefreshed = rows.allSatisfy { held[$0.key]?.rating == $0.item.rating + 1 }
    guard isRefreshed, refreshedCount == rows.count else {
      throw PeerError(.disagreement, "a dictionary was left with old values")
    }
    return stopwatch.sample(of: refreshedCount, checksum: checksum(of: saved.keys, in: held))
  }

  /// Returns all rows of the store with raised ratings.
  private func changedRows() throws -> SavedRows {
    SavedRows(
      try database.rows(of: .plain).map { row in
        var row = row
        row.item.rating += 1
        return row
      })
  }
}

// MARK: - Lists

extension ByHandRun {
  /// Renames every tenth row of a list sorted by name, ten times in turn, and counts the reported moves.
  func processInController() throws -> Sample {
    var list = SortedList(
      try database.rows(of: .plain).map { SortedList.Entry(name: $0.item.name, key: $0.key) })
    let rows = list.entries
    let passCount = 10
    var moveCount = 0
    for pass in 0..<passCount {
      let renamings = stride(from: pass, to: rows.count, by: passCount).map { index in
        SortedList.Renaming(
          key: rows[index].key, oldName: rows[index].name, newName: Item.name(of: index, generation: pass + 1))
      }
      stopwatch.start()
      list.process(renamings) { _ in moveCount += 1 }
      stopwatch.lap("process")
      stopwatch.stop()
    }
    return try checkedSample(of: list, moveCount: moveCount, changeCount: rows.count)
  }

  /// Refreshes every hundredth row of a dictionary with all rows ten times, each time others, and moves the rows in a
  /// list sorted by name.
  func mergeIntoList() throws -> Sample {
    let rows = try database.rows(of: .plain)
    var held = HeldRows(rows)
    var list = SortedList(rows.map { SortedList.Entry(name: $0.item.name, key: $0.key) })
    var moveCount = 0
    var changeCount = 0
    for pass in 0..<RenamedRows.passCount {
      let saved = SavedRows(
        RenamedRows.indices(ofPass: pass, in: rows.count).map { index in
          var row = rows[index]
          row.item.name = row.item.otherName
          return row
        })
      changeCount += saved.keys.count
      stopwatch.start()
      let renamings = saved.keys.indices.compactMap { offset in
        held[saved.keys[offset]].map { old in
          SortedList.Renaming(key: saved.keys[offset], oldName: old.name, newName: saved.items[offset].name)
        }
      }
      _ = held.refresh(from: saved)
      stopwatch.lap("refresh")
      list.process(renamings) { _ in moveCount += 1 }
      stopwatch.lap("process")
      stopwatch.stop()
    }
    return try checkedSample(of: list, moveCount: moveCount, changeCount: changeCount)
  }

  private func checkedSample(of list: SortedList, moveCount: Int, changeCount: Int) throws -> Sample {
    let names = list.entries.map(\.name)
    guard moveCount == changeCount, names == names.sorted() else {
      throw PeerError(
        .disagreement, "a sorted array reported \(moveCount) of \(changeCount) moves or lost its order")
    }
    return stopwatch.sample(of: moveCount, checksum: Item.checksum(ofNames: names))
  }
}
