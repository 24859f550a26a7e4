import MachineCore
import TrialProcesses

/// The reasons of a trouble as sentences: the calls, the circle of waits, the errors with their objects, the wrong
/// values, the steps that only the cure takes, and the work of the main thread's longest block.
struct ScenarioReasons {
  private let run: RecordedRun
  private let cure: RecordedRun
  private let symptoms: [Symptom]

  init(_ run: RecordedRun, against cure: RecordedRun, _ symptoms: [Symptom]) {
    self.run = run
    self.cure = cure
    self.symptoms = symptoms
  }

  /// The sentences, without repetitions.
  var sentences: [String] {
    let all = calls + circle + trap + failures + observations + cureCalls + cureSteps + mainBlock + mainWait + mainWork
    return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private func milliseconds(_ instant: Instant) -> String { StoryFigure.milliseconds(instant - run.start) }

  private var calls: [String] {
    firstCalls(of: run) { _ in true }.map { call in
      "At \(milliseconds(call.instant)), \(call.queue) \(call.text)."
    }
  }

  private var cureCalls: [String] {
    firstCalls(of: cure) { call in !run.calls.contains { $0.queue == call.queue && $0.text == call.text } }
      .map { "With the cure, \($0.queue) \($0.text)." }
  }

  /// Returns the first of each of the equal calls that meet a condition, at most four.
  private func firstCalls(
    of run: RecordedRun, where isWanted: (RecordedRun.Call) -> Bool
  ) -> ArraySlice<RecordedRun.Call> {
    run.calls.enumerated().filter { index, call in
      isWanted(call) && !run.calls[..<index].contains { $0.queue == call.queue && $0.text == call.text }
    }.map(\.element).prefix(4)
  }

  /// The activities and statements that the cure has more often, at most four, if the trouble is a wrong value.
  private var cureSteps: [String] {
    guard symptoms.contains(where: { if case .wrong = $0 { true } else { false } }) else { return [] }
    let own = StepCount.counts(of: run)
    return StepCount.counts(of: cure).filter { step in
      (own.first { $0.queue == step.queue && $0.text == step.text }?.count ?? 0) < step.count
    }.prefix(4).map { step in
      let count = own.first { $0.queue == step.queue && $0.text == step.text }?.count ?? 0
      return "Steps of \(step.queue): \(step.text), \(CountText.of(count, "time")); with the cure, "
        + "\(CountText.of(step.count, "time"))."
    }
  }

  /// The circle of waits, one sentence for each thread.
  var circle: [String] {
    run.circle.map { wait in
      "\(Self.thread(wait.threadName)) has waited since \(milliseconds(wait.begin)) for “\(wait.label)” "
        + "(\(wait.place)); \(wait.holderName.map(Self.thread)?.lowercasedFirst ?? "another thread") has it."
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
      return "\(failure.call.uppercasedFirst) failed with error \(failure.code)\(objects)\(more). "
        + "Its message: \(failure.message)."
    }
  }

  private var observations: [String] { run.observations.filter(\.differs).map { "\($0.clause.uppercasedFirst)." } }

  private var mainBlock: [String] {
    let isAsked = symptoms.contains {
      switch $0 {
      case .mainBlocked, .mainStatements, .mainWork, .mainWaits: true
      default: false
      }
    }
    guard isAsked, let block = run.longestMainBlock, block.duration > .zero else { return [] }
    let inside = Self.leaves(of: block)
    guard let longest = inside.max(by: { $0.span < $1.span }), longest.span > .zero else { return [] }
    return [
      "The longest block of the main thread began at \(milliseconds(block.begin)) and took "
        + "\(StoryFigure.milliseconds(block.duration)). Of this time, \(longest.name) took "
        + "\(StoryFigure.milliseconds(longest.span)) (\(CountText.of(longest.count, "time")))."
    ]
  }

  private var mainWait: [String] {
    guard let wait = run.longestMainWait, !wait.isUnfinished, wait.span > .zero else { return [] }
    let holder = wait.holderName.map { ", which \(Self.thread($0).lowercasedFirst) had" } ?? ""
    return [
      "The main thread waited \(StoryFigure.milliseconds(wait.span)) for “\(wait.label)” (\(wait.place))\(holder)."
    ]
  }

  /// The kinds of work of which the main thread did ten times as much as with the cure, and more than a few units.
  private var mainWork: [String] {
    run.work.filter { own in
      let other = cure.work.first { $0.kind == own.kind }?.onMain ?? 0
      return cure.ending == .completed && own.onMain >= 100 && own.onMain >= 10 * other
    }.map { own in
      let other = cure.work.first { $0.kind == own.kind }?.onMain ?? 0
      return "\(WorkText.of(own.kind).uppercasedFirst) on the main thread: \(CountText.grouped(own.onMain)); "
        + "with the cure: \(CountText.grouped(other))."
    }
  }

  /// The time of a block by the activities and waits inside it, without the time of those inside them.
  private static func leaves(of step: ScheduleStep) -> [(name: String, span: TimeSpan, count: Int)] {
    var sums: [(name: String, span: TimeSpan, count: Int)] = []
    func add(_ name: String, _ span: TimeSpan, _ count: Int) {
      if let index = sums.firstIndex(where: { $0.name == name }) {
        sums[index].span += span
        sums[index].count += count
      } else {
        sums.append((name, span, count))
      }
    }
    func visit(_ step: ScheduleStep) {
      let inside = step.children.reduce(TimeSpan.zero) { $0 + $1.duration }
      switch step.kind {
      case .activity(let activity): add("the activity \(activity.title)", step.duration - inside, step.count)
      case .wait: add("waiting", step.duration, step.count)
      case .body: add("code outside of any activity", step.duration - inside, step.count)
      case .statement, .post, .moment: break
      }
      for child in step.children { visit(child) }
    }
    visit(step)
    return sums
  }

  private static func thread(_ name: String) -> String {
    name == "main thread" ? "The main thread" : "The thread of \(name)"
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
  var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
