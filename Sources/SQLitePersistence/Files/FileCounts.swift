/// What was done to the files of a store, by kind of file.
package struct FileCounts: Hashable, Sendable {
  /// The kinds of file that SQLite keeps for a store.
  package enum Kind: Sendable {
    case database
    case rollbackJournal
    case writeAheadLog
    /// Whatever else SQLite makes, such as the file of a sort that memory does not hold.
    case other
  }

  /// What was done to the files of one kind.
  package struct Traffic: Hashable, Sendable {
    package var pagesRead = 0
    package var bytesRead = 0
    package var pagesWritten = 0
    package var bytesWritten = 0
    /// Syncs that are not full flushes.
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

  /// How many pages a call that reads or writes so many bytes is counted as: one for each 4,096, which is the page of
  /// every file made here.
  ///
  /// A piece of less than that is one page too, as of a file with smaller pages, or a journal's header; but what is less
  /// than any page of SQLite is none: it lies beside a page that is counted. Such are the 24 bytes before each page in
  /// a write-ahead log, number and checksum around each in a journal, and the change counter that a reader looks at.
  package static func pageCount(ofBytes bytes: Int) -> Int {
    bytes < 512 ? 0 : max(1, bytes / 4_096)
  }
}
