import Harness
import MachineCore
import TrialProcesses

/// The course of one payload and one edit through a stack, step by step in virtual time.
package struct Story {
  /// A line of a story.
  struct Line {
    var step: ScheduleStep
    /// The number of steps that enclose the step.
    var depth: Int
  }

  /// The lines in the order of time. Equal steps in a row are one line.
  let lines: [Line]
  /// True if the user edits a row. The user edits nothing if no attribute of the model is free for it.
  package let hasEdit: Bool
  /// The outermost steps of all threads, each with the steps inside it. Equal steps are not merged.
  let steps: [ScheduleStep]
  /// The moments of the payload and the edit, in no particular order.
  let moments: [ScheduleStep]
  /// The arrival of the payload, from which `elapsed(_:)` counts.
  private let start: Instant

  /// Creates the story of a trial that has ended.
  package init(_ recorder: StoryRecorder) {
    let start = recorder.window?.start ?? Instant(nanoseconds: 0)
    self.start = start
    hasEdit = !recorder.edits.isEmpty
    var builder = ScheduleSteps(from: start)
    let threads = builder.steps(of: recorder.heard)
    let moments = Story.moments(recorder)
    let end = moments.map(\.begin).max() ?? start
    let told = threads.map { steps in steps.compactMap { Story.told($0, until: end, recorder) } }
    self.moments = moments
    steps = told.flatMap(\.self)
    var lines: [Line] = moments.map { Line(step: $0, depth: 0) }
    for step in told.flatMap(ScheduleStep.merging) { Story.append(step, depth: 0, to: &lines) }
    self.lines = lines.enumerated().sorted { first, second in
      (first.element.step.begin, first.element.step.beginOrder, first.offset)
        < (second.element.step.begin, second.element.step.beginOrder, second.offset)
    }.map(\.element)
  }

  /// Returns the time since the payload's arrival. It is negative before the arrival.
  func elapsed(_ instant: Instant) -> TimeSpan { instant - start }

  private static func append(_ step: ScheduleStep, depth: Int, to lines: inout [Line]) {
    lines.append(Line(step: step, depth: depth))
    for child in step.children { append(child, depth: depth + 1, to: &lines) }
  }

  /// Returns the step in the form that the story shows, or nil if the story leaves it out.
  ///
  /// The story leaves out an empty block, a step that begins after `end`, and a frame that shows no new payload or edit
  /// and contains neither a wait nor an SQL statement.
  private static func told(_ step: ScheduleStep, until end: Instant, _ recorder: StoryRecorder) -> ScheduleStep? {
    guard step.begin <= end, !step.children.isEmpty else { return nil }
    guard case .activity(.frame)? = step.children.first?.kind else { return step }
    let shown = recorder.shown.first { step.begin <= $0.start && $0.start <= step.end }?.instant
    let news = news(at: shown, recorder)
    let isBusy = step.contains { $0.kind == .wait || $0.kind == .statement }
    guard !news.isEmpty || isBusy else { return nil }
    var step = step
    if !news.isEmpty {
      step.children[0].text = "frame → \(news.joined(separator: ", ")) visible at the next tick"
    }
    return step
  }

  private static func news(at shown: Instant?, _ recorder: StoryRecorder) -> [String] {
    guard let shown else { return [] }
    return recorder.payloads.filter { $0.shown == shown }.map { "payload \($0.number)" }
      + recorder.edits.filter { $0.shown == shown }.map { "edit \($0.number)" }
  }

  private static func moments(_ recorder: StoryRecorder) -> [ScheduleStep] {
    let named =
      recorder.payloads.map { ($0, "payload \($0.number)", "arrives") }
      + recorder.edits.map { ($0, "edit \($0.number)", "is due") }
    return named.flatMap { moment, name, beginning -> [ScheduleStep] in
      let all: [(Instant?, String)] = [
        (moment.due, beginning), (moment.acknowledged, "is acknowledged"), (moment.durable, "is durable"),
        (moment.shown, "is visible"),
      ]
      return all.enumerated().compactMap { place, entry in
        entry.0.map { instant in
          // The arrival of a payload or an edit is the first of several steps at the same instant. Its later moments
          // are the last.
          let order = place == 0 ? -1 : Int.max
          return ScheduleStep(
            kind: .moment, queue: "", thread: "", text: "\(name) \(entry.1)", begin: instant, beginOrder: order,
            end: instant, endOrder: order, duration: .zero)
        }
      }
    }
  }
}
