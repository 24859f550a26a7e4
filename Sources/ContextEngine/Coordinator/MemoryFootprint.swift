import MachineCore

/// The number of bytes that a coordinator's row cache and its contexts of any depth use, as defined by `ModelledSize`:
/// registered objects, their snapshots and changes, and cached rows.
///
/// The number is kept up to date and not computed on demand. A row counts once, even if several snapshots and the row
/// cache share it; arrays of values and strings count for each holder, although copies share storage until one is
/// written to. Contexts report at the end of each block, before they send a request to their parent or the store, and
/// in saves and merges, each time with the highest value since the last report. The peak is therefore exact while one
/// context works; if several contexts work, it is as exact as their reports. Objects that were deallocated count until
/// their context collects them at the end of its next block. Thread-safe; blocks only for the duration of an addition.
package final class MemoryFootprint: Sendable {
  package struct Figures: Hashable, Sendable {
    package var currentBytes = 0
    /// The highest number of bytes since the start or the last `restart`.
    package var peakBytes = 0
    /// The sum of all bytes that were added since then, including bytes that were removed again.
    package var addedBytes = 0
  }

  private let state = Guarded(Figures())

  package init() {}

  package var figures: Figures { state.withLock { $0 } }

  /// Resets the peak to the current bytes and the sum of added bytes to 0.
  ///
  /// - Returns: The current bytes.
  @discardableResult
  package func restart() -> Int {
    state.withLock { figures in
      figures.peakBytes = figures.currentBytes
      figures.addedBytes = 0
      return figures.currentBytes
    }
  }

  /// Adds a tally to the figures and resets the tally.
  package func take(_ tally: inout FootprintTally) {
    state.withLock { figures in
      figures.peakBytes = max(figures.peakBytes, figures.currentBytes + tally.highest)
      figures.currentBytes += tally.net
      figures.addedBytes += tally.added
    }
    tally = FootprintTally()
  }
}

/// The bytes that were added and removed since the last report. A tally has one owner and needs no lock.
package struct FootprintTally {
  private(set) var net = 0
  /// The highest value of `net`.
  private(set) var highest = 0
  private(set) var added = 0

  package init() {}

  var isEmpty: Bool { net == 0 && added == 0 }

  package mutating func add(_ bytes: Int) {
    net += bytes
    added += bytes
    if net > highest { highest = net }
  }

  package mutating func remove(_ bytes: Int) {
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
