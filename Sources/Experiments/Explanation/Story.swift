import Harness
import MachineCore
import OrderedCollections
import TrialProcesses

/// The course of one payload and one edit through a stack, step by step in virtual time.
package struct Story {
  /// The lines in the order of time. Equal steps in a row are one line.
  let lines: [ScheduleStep.Line]
  /// True if the user edits a row. The user edits nothing if no attribute of the model is free for it.
  package let hasEdit: Bool
  /// The outermost steps of all threads, each with the steps inside it. Equal steps are not merged.
  let steps: [ScheduleStep]
  /// The moments of the payload and the edit, in no particular order.
  let moments: [ScheduleStep]
  /// The arrival of the payload, from which the times of the lines count.
  let start: Instant

  /// Creates the story of a trial that has ended.
  package init(_ recorder: StepRecorder) {
    let measurements = recorder.measurements
    let moments = Story.moments(measurements)
    let end = moments.map(\.begin).max() ?? measurements.start
    let shown = ScheduleSteps(recorder.events, from: measurements.start).threads.map { steps in
      steps.compactMap { Story.shown($0, until: end, measurements) }
    }
    start = measurements.start
    hasEdit = !measurements.edits.isEmpty
    steps = shown.flatMap(\.self)
    self.moments = moments
    lines = ScheduleStep.ordered(
      moments.map { ScheduleStep.Line($0) } + shown.flatMap(ScheduleStep.merging).flatMap { $0.lines() })
  }

  /// The queues in the order in which the lines have them first.
  var queues: OrderedSet<String> { OrderedSet(lines.map(\.step.queue).filter { !$0.isEmpty }) }

  /// Returns the step in the form that the story shows, or nil if the story leaves it out.
  ///
  /// The story leaves out an empty block, a step that begins after `end`, and a frame that shows no new payload or edit
  /// and contains neither a wait nor an SQL statement.
  private static func shown(
    _ step: ScheduleStep, until end: Instant, _ measurements: StepRecorder.Measurements
  ) -> ScheduleStep? {
    guard step.begin <= end, !step.children.isEmpty else { return nil }
    guard step.children[0].kind == .activity(Activity.frame.title) else { return step }
    let tick = measurements.shown.first { step.begin <= $0.start && $0.start <= step.end }?.instant
    let news =
      measurements.payloads.filter { tick != nil && $0.shown == tick }.map { "payload \($0.number)" }
      + measurements.edits.filter { tick != nil && $0.shown == tick }.map { "edit \($0.number)" }
    guard news.isEmpty else {
      var step = step
      step.children[0].text = "frame → \(news.joined(separator: ", ")) visible at the next tick"
      return step
    }
    return step.lines().contains { $0.step.kind == .wait || $0.step.kind == .statement } ? step : nil
  }

  private static func moments(_ measurements: StepRecorder.Measurements) -> [ScheduleStep] {
    let sentences =
      measurements.payloads.map { $0.sentences("payload", due: "arrives") }
      + measurements.edits.map { $0.sentences("edit", due: "is due") }
    return sentences.flatMap { sentences in
      sentences.enumerated().map { place, sentence in
        // The arrival of a payload or an edit is the first of several steps at the same instant. Its later moments are
        // the last.
        ScheduleStep(.moment, sentence.text, at: sentence.instant, order: place == 0 ? -1 : Int.max)
      }
    }
  }
}
