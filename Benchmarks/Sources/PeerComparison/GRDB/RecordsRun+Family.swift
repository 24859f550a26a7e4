import GRDB

// MARK: - Cases with related records

extension RecordsRun {
  /// Deletes every second author, after the books and chapters that a fetch finds below it.
  func cascade() throws -> Sample {
    let authors = try store.queue.read { try AuthorRecord.fetchAll($0) }
    let leaving = authors.indices.filter { Family.isDeleted(tree: $0) }.map { authors[$0] }
    stopwatch.start()
    for unit in leaving.units(of: Assignment.unitSize / Family.treeSize) {
      try store.queue.write { database in
        for author in unit {
          let books = try author.request(for: AuthorRecord.books).fetchAll(database)
          for book in books {
            for chapter in try book.request(for: BookRecord.chapters).fetchAll(database) {
              _ = try chapter.delete(database)
            }
            _ = try book.delete(database)
          }
          _ = try author.delete(database)
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: Family.deletedCount(of: assignment.items.count))
  }

  /// Fetches all books including their chapters.
  func prefetch() throws -> Sample {
    stopwatch.start()
    let books = try store.queue.read { database in
      try BookRecord.including(all: BookRecord.chapters).asRequest(of: BookWithChapters.self).fetchAll(database)
    }
    var checksum = 0
    var count = books.count
    for book in books {
      count += book.chapters.count
      checksum &+= Family.checksum(
        ofBook: book.book.checksum, rating: book.book.rating, chapters: book.chapters.reduce(0) { $0 &+ $1.checksum })
    }
    stopwatch.stop()
    return stopwatch.sample(of: count, checksum: checksum)
  }
}

/// The three tables of `Family`.
enum Authors: ItemTable { static let table = RawTable.authors }
enum Books: ItemTable { static let table = RawTable.books }
enum Chapters: ItemTable { static let table = RawTable.chapters }

typealias AuthorRecord = ItemRecord<Authors>
typealias BookRecord = ItemRecord<Books>
typealias ChapterRecord = ItemRecord<Chapters>

extension AuthorRecord {
  static var books: HasManyAssociation<AuthorRecord, BookRecord> {
    hasMany(BookRecord.self, using: ForeignKey(["ZAUTHOR"], to: ["Z_PK"]))
  }
}

extension BookRecord {
  static var chapters: HasManyAssociation<BookRecord, ChapterRecord> {
    hasMany(ChapterRecord.self, key: "chapters", using: ForeignKey(["ZBOOK"], to: ["Z_PK"]))
  }
}

/// A book with its chapters, as one fetch finds them.
private struct BookWithChapters: Decodable, FetchableRecord {
  var book: BookRecord
  var chapters: [ChapterRecord]

  private enum CodingKeys: String, CodingKey {
    case chapters
  }

  init(from decoder: any Decoder) throws {
    book = try BookRecord(from: decoder)
    chapters = try decoder.container(keyedBy: CodingKeys.self).decode([ChapterRecord].self, forKey: .chapters)
  }
}
