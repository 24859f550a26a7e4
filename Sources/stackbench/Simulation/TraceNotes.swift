import ContextEngine
import MachineCore
import Reporting

/// Makes flows and counters of what a trace is told beside its slices.
struct TraceNotes {
  /// What a stack holds, where the machine does not tell of the heap itself.
  var footprint: MemoryFootprint?

  /// In the upper half of a flow's identifier, so that no two processes of a trace share one.
  private let process: Int
  private var flowCount: Int64 = 0
  /// Where and when each save ended.
  private var saves: [Int: (track: Int, instant: Instant)] = [:]
  /// The sum of what the contexts of a name have not saved.
  private var pendingCounts: [String: Int] = [:]
  private var heapBytes: Int?
  /// The last instant of each counter, behind which none of its values may lie.
  private var lastInstants: [String: Instant] = [:]

  init(process: Int) {
    self.process = process
  }

  /// The flow from a save to a merge of it: none until a merge begins, then both its ends.
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

  /// The counter that a note changes.
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

  /// The heap by the engine's own count, if it has changed.
  mutating func heap(at instant: Instant) -> TraceEvent? {
    guard let bytes = footprint?.figures.currentBytes, bytes != heapBytes else { return nil }
    heapBytes = bytes
    return counter("heap", "bytes", Int64(bytes), at: instant)
  }

  private mutating func counter(_ name: String, _ series: String, _ value: Int64, at instant: Instant) -> TraceEvent {
    // Of two threads, one that owes for its work is heard ahead of time.
    let key = "\(name) \(series)"
    let place = max(instant, lastInstants[key] ?? instant)
    lastInstants[key] = place
    return TraceEvent(.counter, name, track: TraceTracks.counters, at: place, [(series, .number(value))])
  }
}
