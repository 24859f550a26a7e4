import MachineCore
import TrialProcesses

/// The steps of one side in the order of time, as the rows of a story.
struct ScenarioStory {
  /// A row of a story.
  struct Row: Hashable {
    var at: TimeSpan
    /// The time that the step took, or nil for a moment.
    var took: TimeSpan?
    var place: String
    var text: String
  }

  /// The rows, which are at most `limit`.
  let rows: [Row]
  /// The number of steps that are left out after the last row.
  let omittedCount: Int

  /// The largest number of rows of a story.
  private static let limit = 26

  /// Creates the story of a side.
  init(_ run: RecordedRun) {
    var lines: [(step: ScheduleStep, depth: Int)] = []
    for steps in run.threads {
      let kept = steps.filter { $0.begin >= run.start && (!$0.children.isEmpty || $0.isUnfinished) }
      for step in ScheduleStep.merging(kept) { Self.append(step, depth: 0, to: &lines) }
    }
    let ordered = lines.enumerated().sorted { first, second in
      (first.element.step.begin, first.element.step.beginOrder, first.offset)
        < (second.element.step.begin, second.element.step.beginOrder, second.offset)
    }
    rows = ordered.prefix(Self.limit).map { Self.row($0.element.step, $0.element.depth, since: run.start) }
    omittedCount = max(0, ordered.count - Self.limit)
  }

  /// The deepest steps that a story shows.
  private static let deepest = 5

  private static func append(
    _ step: ScheduleStep, depth: Int, to lines: inout [(step: ScheduleStep, depth: Int)]
  ) {
    lines.append((step, depth))
    guard depth < deepest else { return }
    for child in step.children where !child.isTransaction { append(child, depth: depth + 1, to: &lines) }
  }

  private static func row(_ step: ScheduleStep, _ depth: Int, since start: Instant) -> Row {
    let count = step.count > 1 ? " ×\(CountText.grouped(step.count))" : ""
    let ending = step.isUnfinished ? ", which does not end" : ""
    let indent = String(repeating: "· ", count: depth)
    let place =
      step.thread == step.queue || step.thread == "main thread" && step.queue == "main"
      ? step.queue : "\(step.queue), on the \(step.thread)"
    return Row(
      at: step.begin - start, took: step.duration > .zero ? step.duration : nil, place: place,
      text: indent + step.text + count + ending)
  }
}

extension ScheduleStep {
  /// True for the statements that begin and end transactions, which stories leave out.
  var isTransaction: Bool {
    kind == .statement && ["BEGIN", "COMMIT", "ROLLBACK"].contains { text.contains(": \($0)") }
  }
}
