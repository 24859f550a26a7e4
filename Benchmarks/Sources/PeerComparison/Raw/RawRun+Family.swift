// MARK: - Cases with related rows

extension RawRun {
  /// Deletes every second author with three DELETE statements, the chapters first.
  func cascade() throws -> Sample {
    let authors = try database.rows(of: .authors)
    let leaving = authors.indices.filter { Family.isDeleted(tree: $0) }.map { authors[$0] }
    let chapterDeletion = try database.prepare(RawTable.deletionOfChapters)
    let bookDeletion = try database.prepare(RawTable.deletionOfBooks)
    let authorDeletion = try database.prepare(RawTable.authors.deletion)
    stopwatch.start()
    for unit in leaving.units(of: Assignment.unitSize / Family.treeSize) {
      try database.inTransaction { () throws(PeerError) in
        for author in unit {
          for deletion in [chapterDeletion, bookDeletion] {
            deletion.bind(author.key, at: 1)
            try deletion.run()
          }
          authorDeletion.bind(author.key, at: 1)
          authorDeletion.bind(author.version, at: 2)
          try authorDeletion.run()
          guard database.changeCount == 1 else { throw conflict(author) }
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: Family.deletedCount(of: assignment.items.count))
  }

  /// Reads all books, and all chapters by the key of their book, each with one SELECT.
  func prefetch() throws -> Sample {
    let bookSelection = try database.prepare(RawTable.books.selection)
    let chapterSelection = try database.prepare(RawTable.selectionOfChapters)
    stopwatch.start()
    var books: [RawRow] = []
    while try bookSelection.step() { books.append(RawRow(bookSelection)) }
    bookSelection.reset()
    var chapters: [Int64: [RawRow]] = [:]
    while try chapterSelection.step() {
      chapters[chapterSelection.integer(RawTable.parentColumn), default: []].append(RawRow(chapterSelection))
    }
    chapterSelection.reset()
    stopwatch.lap("select into structs")
    let sample = FamilyRows.checksum(of: books, chapters)
    stopwatch.lap("read five attributes")
    stopwatch.stop()
    return stopwatch.sample(of: sample.rowCount, checksum: sample.checksum)
  }
}

/// Books and their chapters as structs.
enum FamilyRows {
  /// Reads every attribute of books and of the chapters under their keys.
  static func checksum(of books: [RawRow], _ chapters: [Int64: [RawRow]]) -> (rowCount: Int, checksum: Int) {
    var checksum = 0
    var count = books.count
    for book in books {
      let related = chapters[book.key] ?? []
      count += related.count
      checksum &+= Family.checksum(
        ofBook: book.item.checksum, rating: book.item.rating, chapters: related.reduce(0) { $0 &+ $1.item.checksum })
    }
    return (count, checksum)
  }
}
