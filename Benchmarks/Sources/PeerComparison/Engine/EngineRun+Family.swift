import ContextEngine

// MARK: - Cases with related objects

extension EngineRun {
  /// Deletes every second author, with the books and chapters below. The authors have their values beforehand; their
  /// books and chapters are not registered.
  func cascade() throws -> Sample {
    let context = stack.context("edit")
    var request = FetchRequest(FamilyModel.authors.entity)
    request.returnsObjectsAsFaults = false
    let authors = try context.performAndWait { Array(try context.fetch(request)) }
    let leaving = authors.indices.filter { Family.isDeleted(tree: $0) }.map { authors[$0] }
    stopwatch.start()
    for unit in leaving.units(of: Assignment.unitSize / Family.treeSize) {
      try context.performAndWait {
        for author in unit { context.delete(author) }
        stopwatch.lap("delete")
        try context.save()
        stopwatch.lap("save")
      }
      stopwatch.lap("end the block")
    }
    stopwatch.stop()
    return stopwatch.sample(of: Family.deletedCount(of: items.count))
  }

  /// Fetches all books with their chapters, and reads every attribute of both.
  func prefetch() throws -> Sample {
    let context = stack.context("list")
    let (books, chapters) = (FamilyModel.books, FamilyModel.chapters)
    var request = FetchRequest(books.entity)
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = [PropertyKeyPath(FamilyModel.chaptersOfBook)]
    return try context.performAndWait {
      stopwatch.start()
      let list = try context.fetch(request)
      stopwatch.lap("fetch")
      var checksum = 0
      var count = list.count
      for book in list {
        let related = book.relatedObjects(FamilyModel.chaptersOfBook)
        count += related.count
        guard case .integer(let rating) = book[books.rating] else { continue }
        checksum &+= Family.checksum(
          ofBook: books.checksum(of: book), rating: rating,
          chapters: related.reduce(0) { $0 &+ chapters.checksum(of: $1) })
      }
      stopwatch.lap("read five attributes")
      stopwatch.stop()
      return stopwatch.sample(of: count, checksum: checksum)
    }
  }
}
