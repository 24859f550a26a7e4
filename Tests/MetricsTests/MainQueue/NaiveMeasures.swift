import MachineCore
import Metrics

/// The measures computed from the raw history by their definitions, without regard to speed.
struct NaiveMeasures {
  let history: RandomMainThread
  var schedule: TickSchedule { history.schedule }

  var frames: [RandomMainThread.Block] { history.blocks.filter { $0.tick != nil } }

  func due(_ tick: Int) -> Int64 {
    schedule.start.nanoseconds + Int64(tick) * 1_000_000_000 / Int64(schedule.refreshRate)
  }

  func ticks(in window: Window) -> [Int] {
    (0...).lazy.prefix { self.due($0) < window.end.nanoseconds }
      .filter { self.due($0) >= window.start.nanoseconds }
  }

  /// Returns min{ m ≥ k(f)+1 : t_m ≥ c_f }.
  func shown(_ frame: RandomMainThread.Block) -> Int {
    var tick = (frame.tick ?? 0) + 1
    while due(tick) < frame.end { tick += 1 }
    return tick
  }

  /// Returns min{ s_f : s_f ≥ t_k } − t_k.
  func lateness(_ tick: Int) -> Int64? {
    frames.map(\.begin).filter { $0 >= due(tick) }.min().map { $0 - due(tick) }
  }

  func isPosted(_ tick: Int) -> Bool {
    frames.contains { $0.tick == tick }
  }

  /// Returns true if a frame is pending or running at a tick.
  func isMissed(_ tick: Int) -> Bool {
    frames.contains { frame in
      guard let posted = frame.tick else { return false }
      return posted < tick && frame.end > due(tick)
    }
  }

  /// Returns the nanoseconds per label between two instants.
  func time(from begin: Int64, to end: Int64) -> [TimeLabel: Int64] {
    var cuts: Set<Int64> = [begin, end]
    for block in history.blocks where block.end > begin && block.begin < end {
      cuts.formUnion([block.begin, block.end])
      cuts.formUnion(block.intervals.flatMap { [$0.begin, $0.end] })
    }
    let sorted = cuts.filter { $0 >= begin && $0 <= end }.sorted()
    var time: [TimeLabel: Int64] = [:]
    for (from, to) in zip(sorted, sorted.dropFirst()) {
      time[label(from: from, to: to), default: 0] += to - from
    }
    return time
  }

  /// Returns the label of a stretch without cuts.
  private func label(from begin: Int64, to end: Int64) -> TimeLabel {
    guard let block = history.blocks.first(where: { $0.begin <= begin && end <= $0.end }) else { return .idle }
    let enclosing = block.intervals.filter { $0.begin <= begin && end <= $0.end }
    let isParked = enclosing.contains { $0.activity == nil }
    if block.tick != nil {
      return isParked ? .frameWait : enclosing.contains { $0.activity == .fault } ? .frameFault : .frame
    }
    if isParked { return .wait }
    // Inner intervals were written down first.
    let activities = enclosing.compactMap(\.activity)
    switch activities.last(where: { $0 == .merge || $0 == .reset }) ?? activities.first {
    case .decode: return .decode
    case .importing: return .importing
    case .fetch: return .fetch
    case .fault: return .fault
    case .push: return .push
    case .save: return .save
    case .controller: return .controller
    case .edit: return .edit
    case .merge: return .merge
    case .reset: return .reset
    default: return .other
    }
  }
}
