import ContextEngine
import MachineCore
import Metrics

/// A command of the app's process to the process that imports.
package enum ImportCommand: Codable, Hashable, Sendable {
  /// Opens a store, which must exist, and makes the contexts of the import. The limit is the number of records that each
  /// lane imports of its first payload, without its other payloads, or nil for all.
  case open(store: String, recordLimit: Int?)
  /// Begins to measure the CPU time and the heap.
  case openWindow
  /// Schedules the arrivals of the payloads. The instant is the intended arrival of payload 0.
  case start(at: Instant)
  /// Ends measuring and reports the figures.
  case closeWindow
  /// Closes the store.
  case close
}

/// A report of the process that imports to the app's process.
package enum ImportReport: Codable, Hashable, Sendable {
  case opened
  /// A payload has arrived. The instant is the one at which it was due.
  case arrived(payload: Int, at: Instant)
  /// A save has been committed. It completes these payloads, and its transaction is the last one that the token covers.
  /// A payload whose last unit had no changes is reported without a token.
  case saved(completing: [Int], at: Instant, history: PersistentHistoryToken?)
  /// Every lane has saved its last payload.
  case imported
  case measured(ImportFigures)
  case closed
  /// The import cannot continue.
  case failed(ImportFailure)
}

/// The measurements that the process of an import takes of itself.
package struct ImportFigures: Codable, Hashable, Sendable {
  /// The work since the store was opened.
  var work = WorkCounts()
  /// The number of contexts that were made, including those of the opening.
  var contextsMadeCount = 0
  /// The CPU time of the process since the window was opened.
  var cpu = TimeSpan.zero
  var heap: HeapFigures?
  var busyRetriesCount = 0
  /// The resources that the process uses, or nil if they are not known.
  var resources: ProcessResources?
}

/// The reason for which the process of an import cannot continue.
package struct ImportFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// A sentence part that begins with a verb and follows the words `the importing process`.
  package var message: String
  /// True if a file system has no free space.
  package var isFullDisk: Bool

  package init(_ message: String, isFullDisk: Bool = false) {
    self.message = message
    self.isFullDisk = isFullDisk
  }

  package var description: String { "the importing process \(message)" }
}

/// The process of an import, as the process that started it uses it.
package protocol ImportProcess: Sendable {
  /// Sends a command and does not wait for its effect. A process that has ended ignores it.
  func send(_ command: ImportCommand)
  /// Ends the process and blocks until it has ended.
  func end()
}
