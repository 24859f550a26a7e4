import MachineCore
import TrialProcesses

extension Story {
  /// The participant that stands for the store in diagrams, and its lane in charts.
  static let store = "store"

  /// Lines of a diagram that belong together, and their place in time.
  private typealias Entry = (instant: Instant, order: Int, lines: [String])

  /// Returns the story as a Mermaid sequence diagram, whose participants are the queues and the store.
  package func diagram(title: String) -> String {
    let names = Array(queues) + [Story.store]
    let ordered = lines.flatMap { Story.entries(of: $0.step, names) }.enumerated().sorted { first, second in
      (first.element.instant, first.element.order, first.offset)
        < (second.element.instant, second.element.order, second.offset)
    }
    let participants = names.enumerated().map { index, name in
      "participant p\(index + 1) as \(name == Story.store ? name : "\(name) queue")"
    }
    let body = ["title \(Story.plain(title))"] + participants + ordered.flatMap(\.element.lines)
    return (["sequenceDiagram"] + body.map { "  \($0)" }).joined(separator: "\n")
  }

  private static func entries(of step: ScheduleStep, _ names: [String]) -> [Entry] {
    func id(_ name: String) -> String { "p\((names.firstIndex(of: name) ?? 0) + 1)" }
    let count = step.repetition
    // The thread is named only if it is not the queue's own.
    let place = step.thread == step.queue || step.thread == "\(step.queue) thread" ? "" : ", on \(step.thread)"
    let text = plain(step.text)
    let queue = id(step.queue)
    let last = "p\(names.count)"
    switch step.kind {
    case .body(let asker, let isPosted):
      var beginning = ["activate \(queue)"]
      var ending = ["deactivate \(queue)"]
      if let asker = asker.flatMap({ names.contains($0) ? id($0) : nil }) {
        beginning.insert(
          "\(asker)\(isPosted ? "-)" : "->>")\(queue): \(isPosted ? "block" : "sync")\(place)\(count)", at: 0)
        if !isPosted { ending.insert("\(queue)-->>\(asker): done", at: 0) }
      }
      return [(step.begin, step.beginOrder, beginning), (step.end, step.endOrder, ending)]
    case .statement: return [(step.begin, step.beginOrder, ["\(queue)->>\(last): \(text)\(place)\(count)"])]
    case .activity, .wait: return [(step.begin, step.beginOrder, ["Note over \(queue): \(text)\(count)"])]
    case .moment:
      let place = step.text.hasSuffix("durable") ? last : "p1,\(last)"
      return [(step.begin, step.beginOrder, ["Note over \(place): \(text)"])]
    case .post, .call: return []
    }
  }

  /// Returns a text with commas in place of semicolons and number signs. Mermaid takes a semicolon for the end of a
  /// statement, and a number sign for the start of a character's number.
  private static func plain(_ text: String) -> String {
    text.split { $0 == ";" || $0 == "#" }.map { String($0) }.joined(separator: ",")
  }
}
