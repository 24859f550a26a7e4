import ContextEngine
import MachineCore

/// Makes flows and counters from the notes in a schedule.
struct TraceNotes {
  /// The memory of the stack, or nil if the machine notes the size of the heap.
  var footprint: MemoryFootprint?

  /// The upper half of each flow's identifier, so that no two processes of a trace share one.
  private let process: Int
  private var flowCount: Int64 = 0
  /// The track and the instant at which each flow began, by the numbers of the notes. An entry remains when its flow
  /// has ended.
  private var flowStarts: [Int: (track: Int, instant: Instant)] = [:]
  /// The values of the counters that notes change by a difference, by `key(_:series:)`. A note that sets a counter
  /// has no effect on them.
  private var counts: [String: Int] = [:]
  private var heapBytes: Int?
  /// The last instant of each counter. No later value of the counter may have an earlier instant.
  private var lastInstants: [String: Instant] = [:]

  init(process: Int) {
    self.process = process
  }

  /// Returns both ends of a flow when a note ends it, and an empty array for any other note.
  mutating func flow(of note: TraceNote, track: Int, at instant: Instant) -> [TraceEvent] {
    switch note {
    case .flowBegan(let number):
      flowStarts[number] = (track, instant)
      return []
    case .flowEnded(let name, let number):
      guard let start = flowStarts[number] else { return [] }
      flowCount += 1
      let identifier = Int64(process) << 32 + flowCount
      return [
        TraceEvent(.flowStart, name, track: start.track, at: start.instant, flow: identifier),
        TraceEvent(.flowEnd, name, track: track, at: instant, flow: identifier),
      ]
    case .counterChanged, .counterSet: return []
    }
  }

  /// Returns the new value of the counter that a note changes, or nil if the note changes no counter.
  mutating func counter(_ note: TraceNote, at instant: Instant) -> TraceEvent? {
    switch note {
    case .counterChanged(let name, let series, let difference):
      let value = counts[key(name, series: series), default: 0] + difference
      counts[key(name, series: series)] = value
      return counter(name, series: series, value: Int64(value), at: instant)
    case .counterSet(let name, let series, let value):
      return counter(name, series: series, value: Int64(value), at: instant)
    case .flowBegan, .flowEnded: return nil
    }
  }

  /// Returns the new value of the heap's counter as the engine counts it, or nil if it has not changed or the engine's
  /// count is not used.
  mutating func heap(at instant: Instant) -> TraceEvent? {
    guard let bytes = footprint?.figures.currentBytes, bytes != heapBytes else { return nil }
    heapBytes = bytes
    return counter("heap", series: "bytes", value: Int64(bytes), at: instant)
  }

  private mutating func counter(_ name: String, series: String, value: Int64, at instant: Instant) -> TraceEvent {
    // A thread that owes time for its work reports instants ahead of other threads.
    let key = key(name, series: series)
    let place = max(instant, lastInstants[key] ?? instant)
    lastInstants[key] = place
    return TraceEvent(.counter, name, track: TraceTracks.counters, at: place, [(series, .number(value))])
  }
  private func key(_ name: String, series: String) -> String { "\(name) \(series)" }
}
