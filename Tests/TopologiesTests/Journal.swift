import MachineCore

/// What happened, in the order in which it happened; written from any thread.
final class Journal<Entry: Sendable>: Sendable {
  private let list = Guarded<[Entry]>([])

  var entries: [Entry] { list.withLock { $0 } }

  func write(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }

  func clear() {
    list.withLock { $0 = [] }
  }

  /// What `body` adds.
  func entries(during body: () throws -> Void) rethrows -> [Entry] {
    let before = entries.count
    try body()
    return Array(entries[before...])
  }
}
