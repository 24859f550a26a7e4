import MachineCore
import OrderedCollections
import TrialProcesses

/// A story as a Mermaid sequence diagram, whose participants are the queues and the store.
package struct StoryDiagram {
  let title: String
  let story: Story

  package init(title: String, story: Story) {
    self.title = title
    self.story = story
  }

  private static let store = "store"

  /// Lines of the diagram that belong together, and their place in time.
  private struct Entry {
    var instant: Instant
    var order: Int
    var lines: [String]
  }

  package var text: String {
    let names = participants
    var entries: [Entry] = []
    for line in story.lines { append(line.step, names, to: &entries) }
    let ordered = entries.enumerated().sorted { first, second in
      (first.element.instant, first.element.order, first.offset)
        < (second.element.instant, second.element.order, second.offset)
    }
    var lines = ["sequenceDiagram", "  title \(StoryDiagram.plain(title))"]
    for (index, name) in names.enumerated() {
      lines.append("  participant p\(index + 1) as \(name == StoryDiagram.store ? name : "\(name) queue")")
    }
    return (lines + ordered.flatMap { $0.element.lines.map { "  \($0)" } }).joined(separator: "\n")
  }

  /// The participants: the queues in the order of appearance, then the store.
  private var participants: OrderedSet<String> {
    var names = OrderedSet<String>()
    for line in story.lines where !line.step.queue.isEmpty { names.append(line.step.queue) }
    names.append(StoryDiagram.store)
    return names
  }

  private func append(_ step: ScheduleStep, _ names: OrderedSet<String>, to entries: inout [Entry]) {
    func id(_ name: String) -> String { "p\((names.firstIndex(of: name) ?? 0) + 1)" }
    let count = step.count > 1 ? " ×\(step.count)" : ""
    // The thread is named only if it is not the queue's own.
    let place = step.thread == step.queue || step.thread == "\(step.queue) thread" ? "" : ", on \(step.thread)"
    let text = StoryDiagram.plain(step.text)
    var lines: [String] = []
    switch step.kind {
    case .body(let asker, let isPosted):
      let message = isPosted ? "block" : "sync"
      if let asker, names.contains(asker) {
        lines.append("\(id(asker))\(isPosted ? "-)" : "->>")\(id(step.queue)): \(message)\(place)\(count)")
      }
      lines.append("activate \(id(step.queue))")
      var ending = ["deactivate \(id(step.queue))"]
      if let asker, !isPosted, names.contains(asker) {
        ending.insert("\(id(step.queue))-->>\(id(asker)): done", at: 0)
      }
      entries.append(Entry(instant: step.end, order: step.endOrder, lines: ending))
    case .statement:
      lines.append("\(id(step.queue))->>\(id(StoryDiagram.store)): \(text)\(place)\(count)")
    case .activity, .wait:
      lines.append("Note over \(id(step.queue)): \(text)\(count)")
    case .moment:
      let target = step.text.hasSuffix("durable") ? StoryDiagram.store : names[0]
      let last = id(names[names.count - 1])
      lines.append(
        target == StoryDiagram.store ? "Note over \(last): \(text)" : "Note over p1,\(last): \(text)")
    case .post: return
    }
    entries.append(Entry(instant: step.begin, order: step.beginOrder, lines: lines))
  }

  /// Returns a text with commas in place of semicolons and number signs. Mermaid takes a semicolon for the end of a
  /// statement, and a number sign for the start of a character's number.
  private static func plain(_ text: String) -> String {
    text.split { $0 == ";" || $0 == "#" }.map { String($0) }.joined(separator: ",")
  }
}
