/// The counts of reads, writes and syncs of a store's files, by kind of file.
package struct FileCounts: Hashable, Sendable {
  /// The kinds of file that SQLite keeps for a store.
  package enum Kind: Sendable {
    case database
    case rollbackJournal
    case writeAheadLog
    /// Other files, such as the temporary file of a sort that does not fit into memory, or the store's external files.
    case other
  }

  /// The counts of reads, writes and syncs of the files of one kind.
  package struct Traffic: Hashable, Sendable {
    package var pagesRead = 0
    package var bytesRead = 0
    package var pagesWritten = 0
    package var bytesWritten = 0
    /// The number of syncs that are not full flushes.
    package var syncs = 0
    package var fullFlushes = 0

    package init() {}
  }

  package var database = Traffic()
  package var rollbackJournal = Traffic()
  package var writeAheadLog = Traffic()
  package var other = Traffic()

  package init() {}

  package subscript(kind: Kind) -> Traffic {
    get {
      switch kind {
      case .database: database
      case .rollbackJournal: rollbackJournal
      case .writeAheadLog: writeAheadLog
      case .other: other
      }
    }
    set {
      switch kind {
      case .database: database = newValue
      case .rollbackJournal: rollbackJournal = newValue
      case .writeAheadLog: writeAheadLog = newValue
      case .other: other = newValue
      }
    }
  }

  /// Returns the number of pages that a read or write of the given number of bytes counts as: one for each 4,096 bytes,
  /// the page size of every file created here.
  ///
  /// A smaller piece counts as one page too, such as a page of a file with smaller pages, or a journal's header. A
  /// piece of less than 512 bytes, the smallest page size of SQLite, counts as zero pages, since it accompanies a page
  /// that is counted. Examples are the 24 bytes before each page in a write-ahead log, the number and the checksum
  /// around each page in a journal, and the change counter that a reader checks.
  package static func pageCount(ofBytes bytes: Int) -> Int {
    bytes < 512 ? 0 : max(1, bytes / 4_096)
  }
}
