import MachineCore
import Metrics

/// A sentence on one stall: its place, its duration, the work of the main queue, the SQL statement, and the wait.
package struct StallSentence: Hashable, Sendable {
  /// The name of the topology, with its variant.
  package let name: String
  package let stall: StallRow

  /// Returns the longest stalls of all topologies together. Equally long stalls keep their order.
  package static func longest(_ count: Int, of topologies: [TopologyRows<StallRow>]) -> [StallSentence] {
    let all = topologies.flatMap { topology in
      topology.rows.map { StallSentence(name: topology.name, stall: $0) }
    }
    let ordered = all.enumerated().sorted { first, second in
      first.element.stall.duration == second.element.stall.duration
        ? first.offset < second.offset : first.element.stall.duration > second.element.stall.duration
    }
    return ordered.prefix(count).map(\.element)
  }

  package var text: String { "\(name), tick \(stall.tick): \(block)" }

  /// The duration, the work, the SQL statement and the wait.
  var block: String {
    let reason = stall.reason
    var parts = ["\(Self.text(stall.duration)), \(doing)"]
    if let statement = reason.statement { parts.append("longest statement \(StatementText.shortened(statement))") }
    if let awaited = reason.waitedFor, let waited = reason.waited, stall.cause != .wait {
      parts.append("waited \(Self.text(waited)) for \(Self.awaited(awaited))")
    }
    return parts.joined(separator: "; ")
  }
}

// MARK: - Words

extension StallSentence {
  /// The work that took most of the time, with the number of its objects and its context.
  private var doing: String {
    let context = stall.reason.context
    let place = context.map { " in context \($0)" } ?? ""
    switch stall.cause {
    case .decode: return "decoding\(objects("of", noun: "record"))"
    case .importing: return "import\(objects("of"))\(place)"
    case .fetch: return "fetch\(objects("of"))\(place)"
    case .fault: return "faults fired\(objects("for"))\(place)"
    case .push: return "push\(objects("of"))" + (context.map { " into context \($0)" } ?? "")
    case .save: return "save\(objects("of"))\(place)"
    case .controller: return "fetched results controller\(objects("processing", noun: "change"))\(place)"
    case .edit: return "user edit\(place)"
    case .merge: return "merge\(objects("of"))" + (context.map { " into context \($0)" } ?? "")
    case .reset: return "reset\(place)\(objects("and refetch of"))"
    case .wait: return waiting + place
    case .other, .frame, .frameFault, .frameWait: return "other work of the main queue"
    case .idle: return "no work, but the main thread was not given a core"
    }
  }

  private func objects(_ word: String, noun: String = "object") -> String {
    guard let count = stall.reason.objectCount else { return "" }
    return " \(word) \(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private var waiting: String {
    guard let awaited = stall.reason.waitedFor, let waited = stall.reason.waited else { return "waiting" }
    return "waiting \(Self.text(waited)) for \(Self.awaited(awaited))"
  }

  /// Returns `root: save` as `root (save)`. A wait inside that work follows as a clause that begins with `which`.
  private static func awaited(_ text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return text }
    let doing = text[colon...].dropFirst(2)
    guard let inner = doing.firstIndex(of: "(") else { return "\(text[..<colon]) (\(doing))" }
    return "\(text[..<colon]) (\(doing[..<inner].dropLast()), which \(doing[inner...].dropFirst())"
  }

  private static func text(_ span: TimeSpan) -> String { MeasureText.of(Double(span.nanoseconds), in: .nanoseconds) }
}
