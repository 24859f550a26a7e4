import Foundation

/// A check of the text of a trace against the rules of the Chrome trace event format, as far as traces here use it.
struct TraceRules {
  /// The value of an argument.
  enum Argument: Decodable, Equatable {
    case flag(Bool)
    case number(Decimal)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Decimal.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  struct Event: Decodable {
    var ph: String
    var pid: Int
    var tid: Int
    var ts: Decimal?
    var dur: Decimal?
    var name: String?
    var cat: String?
    var id: Int?
    var bp: String?
    var s: String?
    var args: [String: Argument]?

    var track: Track { Track(process: pid, thread: tid) }
    /// The beginning and the length in nanoseconds.
    var start: Int64 { TraceRules.nanoseconds(ts ?? 0) }
    var duration: Int64 { TraceRules.nanoseconds(dur ?? 0) }

    func number(_ name: String) -> Int? {
      if case .number(let number)? = args?[name] { NSDecimalNumber(decimal: number).intValue } else { nil }
    }
  }

  struct Track: Hashable {
    var process: Int
    var thread: Int
  }

  private struct Flow: Hashable {
    var category: String
    var name: String
    var identifier: Int
  }

  let events: [Event]
  private(set) var complaints: [String] = []
  /// The slices of each track from their beginning to their end, in the order of their ends.
  private(set) var slices: [Track: [ClosedRange<Decimal>]] = [:]
  private var open: [Track: [Decimal]] = [:]
  private var lastSlice: [Track: Decimal] = [:]

  /// Checks the text of events, separated by commas, as the part of a trace has them.
  ///
  /// - Throws: `DecodingError` if the text is not JSON, or an event does not have the members that it needs.
  init(events text: String) throws {
    events = try JSONDecoder().decode([Event].self, from: Data("[\(text)]".utf8))
    for event in events { check(event) }
    for (track, begins) in open where !begins.isEmpty {
      complaints.append("\(begins.count) slices of \(track) never end")
    }
    checkNames()
    checkFlows()
  }

  private static func nanoseconds(_ microseconds: Decimal) -> Int64 {
    NSDecimalNumber(decimal: microseconds * 1_000).int64Value
  }

  // MARK: Events

  private mutating func check(_ event: Event) {
    if event.ph != "E", event.name?.isEmpty ?? true { complain("has no name", event) }
    guard event.ph != "M" else { return checkMetadata(event) }
    guard let start = event.ts, start >= 0 else {
      return complain("has no instant, or one before the trace began", event)
    }
    switch event.ph {
    case "B":
      checkOrder(event, start)
      open[event.track, default: []].append(start)
      lastSlice[event.track] = start
    case "E":
      guard let begin = open[event.track]?.popLast() else { return complain("ends what has not begun", event) }
      checkOrder(event, start)
      lastSlice[event.track] = max(start, begin)
      if begin <= start { slices[event.track, default: []].append(begin...start) }
    case "X":
      guard let duration = event.dur, duration >= 0 else { return complain("has no duration", event) }
      checkOrder(event, start)
      lastSlice[event.track] = start + duration
      slices[event.track, default: []].append(start...(start + duration))
    case "i": if !["t", "p", "g"].contains(event.s) { complain("has no scope", event) }
    case "C": checkCounter(event)
    case "s", "f":
      if event.id == nil || event.cat?.isEmpty ?? true { complain("has no identifier or no category", event) }
      if event.ph == "f", event.bp != "e" { complain("binds to the next slice", event) }
    default: complain("is of an unknown phase", event)
    }
  }

  private mutating func checkOrder(_ event: Event, _ start: Decimal) {
    if let last = lastSlice[event.track], start < last { complain("lies before what came before it", event) }
  }

  private mutating func checkCounter(_ event: Event) {
    let values = event.args ?? [:]
    if values.isEmpty { complain("counts nothing", event) }
    for value in values.values {
      if case .number = value { continue }
      complain("is no number", event)
    }
  }

  private mutating func checkMetadata(_ event: Event) {
    switch event.name {
    case "process_name", "thread_name":
      if case .text? = event.args?["name"] { return }
    case "process_sort_index", "thread_sort_index":
      if case .number? = event.args?["sort_index"] { return }
    default: break
    }
    complain("is no metadata that is known", event)
  }

  // MARK: The whole

  private mutating func checkNames() {
    let named = Set(events.filter { $0.ph == "M" && $0.name == "thread_name" }.map(\.track))
    let used = Set(events.filter { ["B", "E", "X", "i", "s", "f"].contains($0.ph) }.map(\.track))
    for track in used.subtracting(named) { complaints.append("\(track) has no name") }
    let processes = events.filter { $0.ph == "M" && $0.name == "process_name" }.map(\.pid)
    if Set(processes).count != processes.count { complaints.append("a process has two names") }
  }

  private mutating func checkFlows() {
    var starts: [Flow: Decimal] = [:]
    var endCounts: [Flow: Int] = [:]
    for event in events where event.ph == "s" {
      guard let flow = flow(of: event), let start = event.ts else { continue }
      if starts.updateValue(start, forKey: flow) != nil { complain("begins a flow of another's identifier", event) }
      checkEndpoint(event, start)
    }
    for event in events where event.ph == "f" {
      guard let flow = flow(of: event), let instant = event.ts else { continue }
      endCounts[flow, default: 0] += 1
      if starts[flow].map({ $0 > instant }) ?? true { complain("ends a flow that has not begun", event) }
      checkEndpoint(event, instant)
    }
    for flow in starts.keys where endCounts[flow] == nil { complaints.append("\(flow) never ends") }
  }

  private func flow(of event: Event) -> Flow? {
    guard let category = event.cat, let name = event.name, let identifier = event.id else { return nil }
    return Flow(category: category, name: name, identifier: identifier)
  }

  private mutating func checkEndpoint(_ event: Event, _ instant: Decimal) {
    if !(slices[event.track] ?? []).contains(where: { $0.contains(instant) }) { complain("lies in no slice", event) }
  }

  private mutating func complain(_ text: String, _ event: Event) {
    complaints.append("\(event.ph) \(event.name ?? "") at \(event.ts ?? -1) on \(event.track): \(text)")
  }
}
