import TrialProcesses

/// The number of equal steps that a side took on a queue.
struct StepCount: Hashable {
  /// The label of the queue.
  var queue: String
  /// The words of the story for the step.
  var text: String
  var count: Int

  /// Returns the activities and statements of a side with their numbers, in the order in which each occurred first.
  static func counts(of run: RecordedRun) -> [StepCount] {
    var counts: [StepCount] = []
    for steps in run.threads {
      for step in steps where step.begin >= run.start { add(step, to: &counts) }
    }
    return counts
  }

  private static func add(_ step: ScheduleStep, to counts: inout [StepCount]) {
    switch step.kind {
    case .activity, .statement:
      if step.isTransaction { break }
      if let index = counts.firstIndex(where: { $0.queue == step.queue && $0.text == step.text }) {
        counts[index].count += step.count
      } else {
        counts.append(StepCount(queue: step.queue, text: step.text, count: step.count))
      }
    case .body, .wait, .post, .moment: break
    }
    for child in step.children { add(child, to: &counts) }
  }
}
