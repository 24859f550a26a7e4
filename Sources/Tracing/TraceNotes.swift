import ContextEngine
import MachineCore
import Reporting

/// Makes flows and counters from the notes in a schedule.
struct TraceNotes {
  /// The memory of the stack, or nil if the machine notes the size of the heap.
  var footprint: MemoryFootprint?

  /// The upper half of each flow's identifier, so that no two processes of a trace share one.
  private let process: Int
  private var flowCount: Int64 = 0
  /// The track and the instant at which each save ended, by the numbers of the saves.
  private var saves: [Int: (track: Int, instant: Instant)] = [:]
  /// The numbers of unsaved changes, by the names of contexts.
  private var pendingCounts: [String: Int] = [:]
  private var heapBytes: Int?
  /// The last instant of each counter. No later value of the counter may have an earlier instant.
  private var lastInstants: [String: Instant] = [:]

  init(process: Int) {
    self.process = process
  }

  /// Returns both ends of the flow from a save to a merge when the merge begins, and an empty array for any other note.
  mutating func flow(of note: TraceNote, track: Int, at instant: Instant) -> [TraceEvent] {
    switch note {
    case .saved(let number):
      saves[number] = (track, instant)
      return []
    case .merging(let number):
      guard let save = saves[number] else { return [] }
      flowCount += 1
      let identifier = Int64(process) << 32 + flowCount
      return [
        TraceEvent(.flowStart, "merge", track: save.track, at: save.instant, flow: identifier),
        TraceEvent(.flowEnd, "merge", track: track, at: instant, flow: identifier),
      ]
    case .pendingChanges, .heap: return []
    }
  }

  /// Returns the new value of the counter that a note changes, or nil if the note changes no counter.
  mutating func counter(_ note: TraceNote, at instant: Instant) -> TraceEvent? {
    switch note {
    case .pendingChanges(let context, let difference):
      let count = pendingCounts[context, default: 0] + difference
      pendingCounts[context] = count
      return counter("pending changes", context, Int64(count), at: instant)
    case .heap(let bytes): return counter("heap", "bytes", Int64(bytes), at: instant)
    case .saved, .merging: return nil
    }
  }

  /// Returns the new value of the heap's counter as the engine counts it, or nil if it has not changed or the engine's
  /// count is not used.
  mutating func heap(at instant: Instant) -> TraceEvent? {
    guard let bytes = footprint?.figures.currentBytes, bytes != heapBytes else { return nil }
    heapBytes = bytes
    return counter("heap", "bytes", Int64(bytes), at: instant)
  }

  private mutating func counter(_ name: String, _ series: String, _ value: Int64, at instant: Instant) -> TraceEvent {
    // A thread that owes time for its work reports instants ahead of other threads.
    let key = "\(name) \(series)"
    let place = max(instant, lastInstants[key] ?? instant)
    lastInstants[key] = place
    return TraceEvent(.counter, name, track: TraceTracks.counters, at: place, [(series, .number(value))])
  }
}
