import MachineCore

/// A list of events in the order in which they happened, which any thread may write.
package final class Journal<Entry: Sendable>: Sendable {
  private let list = Guarded<[Entry]>([])

  package init() {}

  /// The entries so far.
  package var entries: [Entry] { list.withLock { $0 } }

  /// The number of entries so far.
  package var count: Int { list.withLock { $0.count } }

  package func write(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }

  /// Removes all entries.
  package func clear() {
    list.withLock { $0 = [] }
  }

  /// Returns the entries that are written while `body` runs.
  package func entries(during body: () throws -> Void) rethrows -> [Entry] {
    let before = count
    try body()
    return Array(entries[before...])
  }
}
