import MachineCore

/// The bytes that a coordinator's contexts, at any depth, and its row cache hold, by the rule of `ModelledSize`: registered
/// objects, their snapshots and changes, cached rows.
///
/// A running count, not a search. A row counts once, however many snapshots and the row cache share it; arrays of values
/// and strings count with each holder, although copies share storage until one is written to. Contexts report at the end
/// of each block, before they ask their parent or the store for something, and in saves and merges, each time with the
/// highest point since the last report; so the peak is exact while one context works, and as exact as those reports where
/// several do. Objects that died count until their context collects them, at the end of its next block. Thread-safe;
/// blocks for the length of an addition only.
package final class MemoryFootprint: Sendable {
  package struct Figures: Hashable, Sendable {
    package var currentBytes = 0
    /// The most since the start or the last `restart`.
    package var peakBytes = 0
    /// Everything that was added since then, gone again or not.
    package var addedBytes = 0
  }

  private let state = Guarded(Figures())

  package init() {}

  package var figures: Figures { state.withLock { $0 } }

  /// Begins the peak anew at the current bytes, and the sum of what is added at nothing.
  ///
  /// - Returns: the current bytes.
  @discardableResult
  package func restart() -> Int {
    state.withLock { figures in
      figures.peakBytes = figures.currentBytes
      figures.addedBytes = 0
      return figures.currentBytes
    }
  }

  /// Takes a report and leaves it empty.
  func take(_ tally: inout FootprintTally) {
    if tally.isEmpty { return }
    state.withLock { figures in
      figures.peakBytes = max(figures.peakBytes, figures.currentBytes + tally.highest)
      figures.currentBytes += tally.net
      figures.addedBytes += tally.added
    }
    tally = FootprintTally()
  }
}

/// What was added and taken away since the last report, in one place that needs no lock.
struct FootprintTally {
  private(set) var net = 0
  /// The most that `net` has been.
  private(set) var highest = 0
  private(set) var added = 0

  var isEmpty: Bool { net == 0 && added == 0 }

  mutating func add(_ bytes: Int) {
    net += bytes
    added += bytes
    if net > highest { highest = net }
  }

  mutating func remove(_ bytes: Int) {
    net -= bytes
  }

  mutating func change(from before: Int, to bytes: Int) {
    if before > 0 { remove(before) }
    if bytes > 0 { add(bytes) }
  }

  mutating func hold(_ row: HeldRow) {
    let bytes = row.hold()
    if bytes > 0 { add(bytes) }
  }

  mutating func letGo(_ row: HeldRow) {
    remove(row.letGo())
  }
}
