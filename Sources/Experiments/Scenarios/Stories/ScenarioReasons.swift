import MachineCore
import OrderedCollections
import Reporting
import TrialProcesses

/// The reasons of a trouble as sentences: the calls, the circle of waits, the errors with their objects, the wrong
/// values, the steps that only the cure takes, and the work of the main thread's longest block.
struct ScenarioReasons {
  /// The side with the trouble.
  let run: RecordedRun
  /// The side with which it is compared.
  let cure: RecordedRun
  /// The signs of the trouble.
  let symptoms: [Symptom]

  /// The sentences, without repetitions.
  var sentences: [String] {
    let all = calls + circle + trap + failures + observations + cureCalls + cureSteps + mainBlock + mainWait + mainWork
    return OrderedSet(all).elements
  }

  private func milliseconds(_ instant: Instant) -> String { StoryFigure.milliseconds(instant - run.start) }

  private var calls: [String] {
    firstCalls(of: run).values.prefix(4).map { "At \(milliseconds($0.begin)), \($0.queue) \($0.text)." }
  }

  private var cureCalls: [String] {
    let own = firstCalls(of: run)
    return firstCalls(of: cure).values.filter { own[Self.name($0)] == nil }.prefix(4).map {
      "With the cure, \($0.queue) \($0.text)."
    }
  }

  /// Returns the first of each of the equal calls by its name.
  private func firstCalls(of run: RecordedRun) -> OrderedDictionary<[String], ScheduleStep> {
    OrderedDictionary(run.calls.map { (Self.name($0), $0) }) { first, _ in first }
  }

  /// The activities and statements that the cure has more often, at most four, if the trouble is a wrong value.
  private var cureSteps: [String] {
    guard symptoms.contains(where: { if case .wrong = $0 { true } else { false } }) else { return [] }
    let own = Self.counts(of: run)
    return Self.counts(of: cure).elements.filter { own[$0.key] ?? 0 < $0.value }.prefix(4).map { name, count in
      "Steps of \(name[0]): \(name[1]), \(CountText.of(own[name] ?? 0, "time")); with the cure, "
        + "\(CountText.of(count, "time"))."
    }
  }

  /// Returns the activities and statements of a side with their numbers.
  private static func counts(of run: RecordedRun) -> OrderedDictionary<[String], Int> {
    run.steps.reduce(into: [:]) { counts, step in
      switch step.kind {
      case .activity, .statement: if !step.isTransaction { counts[name(step), default: 0] += step.count }
      case .body, .wait, .post, .call, .moment: break
      }
    }
  }

  /// Returns the queue and the text of a step.
  private static func name(_ step: ScheduleStep) -> [String] { [step.queue, step.text] }

  /// The circle of waits, one sentence for each thread.
  var circle: [String] {
    run.circle.compactMap { step in
      step.wait.map { wait in
        "\(Self.thread(step.thread).sentenceCased) has waited since \(milliseconds(step.begin)) for “\(wait.label)” "
          + "(\(wait.place)); \(wait.holderName.map(Self.thread) ?? "another thread") has it."
      }
    }
  }

  private var trap: [String] {
    guard case .trapped(let message)? = run.ending else { return [] }
    return ["The process was stopped at \(milliseconds(run.end)). Its message: \(message)."]
  }

  private var failures: [String] {
    run.failures.map { failure in
      let objects = failure.objects.isEmpty ? "" : " for \(failure.objects.prefix(3).joined(separator: ", "))"
      let more = failure.objects.count > 3 ? " and \(failure.objects.count - 3) more" : ""
      return "\(failure.call.sentenceCased) failed with error \(failure.code)\(objects)\(more). "
        + "Its message: \(failure.message)."
    }
  }

  private var observations: [String] { run.observations.filter(\.differs).map { "\($0.clause.sentenceCased)." } }

  private var mainBlock: [String] {
    let isAsked = symptoms.contains {
      switch $0 {
      case .mainBlocked, .mainStatements, .mainWork, .mainWaits: true
      default: false
      }
    }
    guard isAsked, let block = run.longestMainBlock, block.duration > .zero else { return [] }
    guard let longest = Self.leaves(of: block).max(by: { $0.value.span < $1.value.span }), longest.value.span > .zero
    else { return [] }
    return [
      "The longest block of the main thread began at \(milliseconds(block.begin)) and took "
        + "\(StoryFigure.milliseconds(block.duration)). Of this time, \(longest.key) took "
        + "\(StoryFigure.milliseconds(longest.value.span)) (\(CountText.of(longest.value.count, "time")))."
    ]
  }

  private var mainWait: [String] {
    guard let step = run.longestMainWait, let wait = step.wait, !step.isUnfinished, step.duration > .zero else {
      return []
    }
    let holder = wait.holderName.map { ", which \(Self.thread($0)) had" } ?? ""
    return [
      "The main thread waited \(StoryFigure.milliseconds(step.duration)) for “\(wait.label)” (\(wait.place))\(holder)."
    ]
  }

  /// The kinds of work of which the main thread did ten times as much as with the cure, and more than a few units.
  private var mainWork: [String] {
    run.work.compactMap { own in
      let other = cure.work.first { $0.kind == own.kind }?.onMain ?? 0
      guard cure.ending == .completed, own.onMain >= 100, own.onMain >= 10 * other else { return nil }
      return "\(WorkText.of(own.kind).sentenceCased) on the main thread: \(CountText.grouped(own.onMain)); "
        + "with the cure: \(CountText.grouped(other))."
    }
  }

  /// Returns the time of a block by the activities and waits inside it, without the time of those inside them.
  private static func leaves(of block: ScheduleStep) -> OrderedDictionary<String, (span: TimeSpan, count: Int)> {
    block.lines().reduce(into: [:]) { sums, line in
      let step = line.step
      let name: String
      switch step.kind {
      case .activity(let title): name = "the activity \(title)"
      case .wait: name = "waiting"
      case .body: name = "code outside of any activity"
      case .statement, .post, .call, .moment: return
      }
      let inside = step.kind == .wait ? .zero : step.children.reduce(TimeSpan.zero) { $0 + $1.duration }
      sums[name, default: (.zero, 0)].span += step.duration - inside
      sums[name, default: (.zero, 0)].count += step.count
    }
  }

  private static func thread(_ name: String) -> String {
    name == "main thread" ? "the main thread" : "the thread of \(name)"
  }
}
