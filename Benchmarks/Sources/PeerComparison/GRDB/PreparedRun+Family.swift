import GRDB

// MARK: - Cases with related rows

extension PreparedRun {
  /// Deletes every second author with three DELETE statements, the chapters first.
  func cascade() throws -> Sample {
    let authors = try store.queue.read { try rows(of: .authors, $0) }
    let leaving = authors.indices.filter { Family.isDeleted(tree: $0) }.map { authors[$0] }
    stopwatch.start()
    for unit in leaving.units(of: Assignment.unitSize / Family.treeSize) {
      try store.queue.write { database in
        let chapterDeletion = try database.cachedStatement(sql: RawTable.deletionOfChapters)
        let bookDeletion = try database.cachedStatement(sql: RawTable.deletionOfBooks)
        let authorDeletion = try database.cachedStatement(sql: RawTable.authors.deletion)
        for author in unit {
          try chapterDeletion.execute(arguments: [author.key])
          try bookDeletion.execute(arguments: [author.key])
          try authorDeletion.execute(arguments: [author.key, author.version])
          guard database.changesCount == 1 else { throw conflict(author) }
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: Family.deletedCount(of: assignment.items.count))
  }

  /// Reads all books, and all chapters by the key of their book, each with one SELECT.
  func prefetch() throws -> Sample {
    stopwatch.start()
    let (books, chapters) = try store.queue.read { database in
      var chapters: [Int64: [RawRow]] = [:]
      let cursor = try Row.fetchCursor(try database.cachedStatement(sql: RawTable.selectionOfChapters))
      while let row = try cursor.next() { chapters[row[Int(RawTable.parentColumn)], default: []].append(RawRow(row)) }
      return (try rows(of: .books, database), chapters)
    }
    let sample = FamilyRows.checksum(of: books, chapters)
    stopwatch.stop()
    return stopwatch.sample(of: sample.rowCount, checksum: sample.checksum)
  }
}
