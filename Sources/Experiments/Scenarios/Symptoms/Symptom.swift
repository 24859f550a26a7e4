import MachineCore
import Reporting
import TrialProcesses

/// A sign by which a trouble is recognised in the recording of a side.
package enum Symptom: Hashable, Sendable {
  /// Threads wait for each other in a circle.
  case deadlock
  /// Misuse stops the process with a message that contains a text.
  case trap(containing: String)
  /// A call fails with an error of this number.
  case error(Int)
  /// A block of the main thread takes longer than a span, waits included.
  case mainBlocked(longerThan: TimeSpan)
  /// The main thread waits for another thread longer than a span.
  case mainWaits(longerThan: TimeSpan)
  /// The main thread runs at least this number of SQL statements.
  case mainStatements(atLeast: Int)
  /// The main thread does at least this number of units of a kind of work.
  case mainWork(Work.Kind, atLeast: Int)
  /// An observation of the program is not the right value.
  case wrong(String)
  /// A span that the program measured is at least this number of times as long as on the other side.
  case slower(String, times: Double)
}

extension Symptom {
  /// True if the symptom is a time or a ratio of times, which differs from one computer to the next.
  package var dependsOnSpeed: Bool {
    switch self {
    case .mainBlocked, .mainWaits, .slower: true
    case .deadlock, .trap, .error, .mainStatements, .mainWork, .wrong: false
    }
  }
}

/// The answer to the question of a symptom: the sentence of a story, and if the side shows the symptom.
package struct Finding: Hashable, Sendable {
  /// True if the side shows the symptom.
  package var isShown: Bool
  /// The figures of the answer in one sentence, without its full stop.
  package var figures: String
  /// The limit from which on the symptom is shown, as a clause, or nil for symptoms without a limit.
  package var limit: String?

  /// The figures and the limit in one sentence.
  package var sentence: String { limit.map { "\(figures); \($0)." } ?? "\(figures)." }
}

extension Symptom {
  /// Returns the answer for one side of a scenario.
  ///
  /// - Parameters:
  ///   - run: The side.
  ///   - other: The other side, with which measured spans are compared.
  /// - Returns: The answer.
  package func finding(in run: RecordedRun, against other: RecordedRun) -> Finding {
    switch self {
    case .deadlock: return deadlock(in: run)
    case .trap(let text): return trap(text, in: run)
    case .error(let code):
      let failure = run.failures.first { $0.code == code }
      return Finding(
        isShown: failure != nil,
        figures: failure.map { "\($0.call) failed with error \(code)" } ?? "No call failed with error \(code)")
    case .mainBlocked(let limit): return longest(run.longestMainBlock?.duration, limit, "block of the main thread")
    case .mainWaits(let limit): return longest(run.longestMainWait?.duration, limit, "wait of the main thread")
    case .mainStatements(let limit):
      let count = run.mainStatementCount
      return Finding(
        isShown: count >= limit, figures: "\(CountText.of(count, "SQL statement")) ran on the main thread",
        limit: "the trouble begins at \(limit)")
    case .mainWork(let kind, let limit):
      let count = run.work.first { $0.kind == "\(kind)" }?.onMain ?? 0
      return Finding(
        isShown: count >= limit,
        figures: "\(WorkText.of("\(kind)").sentenceCased) on the main thread: \(CountText.grouped(count))",
        limit: "the trouble begins at \(CountText.grouped(limit))")
    case .wrong(let name): return wrong(name, in: run)
    case .slower(let name, let times): return slower(name, times, run, other)
    }
  }

  private func deadlock(in run: RecordedRun) -> Finding {
    guard case .deadlock(let message)? = run.ending else {
      return Finding(isShown: false, figures: "No threads waited for each other in a circle")
    }
    return Finding(isShown: true, figures: "The machine reported: \(message.withoutInstant)")
  }

  private func trap(_ text: String, in run: RecordedRun) -> Finding {
    guard case .trapped(let message)? = run.ending, message.contains(text) else {
      return Finding(isShown: false, figures: "Misuse did not stop the process")
    }
    return Finding(isShown: true, figures: "Misuse stopped the process: \(message)")
  }

  private func longest(_ span: TimeSpan?, _ limit: TimeSpan, _ what: String) -> Finding {
    guard let span else { return Finding(isShown: false, figures: "There was no \(what)") }
    return Finding(
      isShown: span > limit, figures: "The longest \(what) took \(StoryFigure.milliseconds(span))",
      limit: "the limit is \(StoryFigure.milliseconds(limit))")
  }

  private func wrong(_ name: String, in run: RecordedRun) -> Finding {
    let found = run.observations.filter { $0.name == name }
    if let wrong = found.first(where: \.differs) { return Finding(isShown: true, figures: wrong.clause) }
    return Finding(isShown: false, figures: found.last?.clause ?? "The program did not come to \(name)")
  }

  private func slower(_ name: String, _ times: Double, _ run: RecordedRun, _ other: RecordedRun) -> Finding {
    guard let own = run.span(of: name), let others = other.span(of: name), others > .zero else {
      return Finding(isShown: false, figures: "The program did not measure \(name) on both sides")
    }
    let ratio = Double(own.nanoseconds) / Double(others.nanoseconds)
    let figures = "\(name) took \(StoryFigure.milliseconds(own)), \(StoryFigure.times(ratio)) the other side's"
    guard ratio >= times else { return Finding(isShown: false, figures: figures) }
    return Finding(
      isShown: true, figures: "\(figures) \(StoryFigure.milliseconds(others))",
      limit: "the trouble begins at \(StoryFigure.times(times))")
  }
}

extension Note.Observation {
  /// The observation as a sentence without its full stop.
  var clause: String {
    guard let right, differs else { return "\(name): \(found), as it should be" }
    return "\(name): \(found) where \(right) would be right"
  }
}

extension String {
  /// The report of a deadlock without the instant in it, which counts from another beginning than the story.
  fileprivate var withoutInstant: String {
    replacing(#/ at [0-9.]+ ms/#, with: "")
  }
}
