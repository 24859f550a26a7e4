import MachineCore
import Reporting
import TrialProcesses

/// The steps of a run in two columns: those of the main thread, and those of all other threads.
package struct Interleaving: Codable, Hashable, Sendable {
  /// A step of a thread.
  private struct Step: Codable, Hashable, Sendable {
    /// The instant at which the step begins, in nanoseconds of virtual time.
    var nanoseconds: Int64
    var isOnMain: Bool
    var text: String
  }

  /// The steps before the ones that are shown, shown, between and at the end.
  private var first: [Step]
  private var last: [Step]
  private var earlierCount: Int
  private var middleCount: Int

  /// The number of steps that are shown before and after the first choice against the usual order, and at the end.
  private static let counts = (before: 8, after: 24, end: 10)
  /// The number of characters of a step, and the number on a terminal of 80 columns.
  private static let width = 52
  private static let narrowWidth = 34

  /// Takes the steps that were recorded, without those deep inside others. Equal steps in a row are one.
  ///
  /// - Parameters:
  ///   - events: The recorded events.
  ///   - instant: The instant of the first choice against the usual order, or nil if there is none.
  init(_ events: [RecordedEvent], around instant: Instant?) {
    let steps = RecordedRun(events).lines.map { line -> Step in
      let step = line.step
      let place = line.depth == 0 && step.queue != "main" ? "\(step.queue): " : ""
      return Step(
        nanoseconds: step.begin.nanoseconds, isOnMain: step.strand == ScheduleThreads.main,
        text: String(repeating: "· ", count: line.depth) + place + step.text + step.repetition
          + (step.isUnfinished ? ", which does not end" : ""))
    }
    let turn = instant.flatMap { instant in steps.firstIndex { $0.nanoseconds >= instant.nanoseconds } } ?? 0
    earlierCount = max(0, turn - Self.counts.before)
    first = Array(steps.dropFirst(earlierCount).prefix(Self.counts.before + Self.counts.after))
    let rest = steps.dropFirst(earlierCount + first.count)
    last = Array(rest.suffix(Self.counts.end))
    middleCount = rest.count - last.count
  }

  /// The steps as tables, with the numbers of those that are left out.
  package var blocks: [Page.Block] {
    [
      Self.omission(earlierCount, "earlier"), Self.table(first), Self.omission(middleCount, "further"),
      last.isEmpty ? nil : Self.table(last),
    ].compactMap(\.self)
  }

  private static func omission(_ count: Int, _ kind: String) -> Page.Block? {
    count == 0 ? nil : .paragraphs(["\(CountText.of(count, "\(kind) step")) left out:"])
  }

  private static func table(_ steps: [Step]) -> Page.Block {
    .fitting(table(steps, width: width), otherwise: [Page.Section([.table(table(steps, width: narrowWidth))])])
  }

  /// Returns a table of steps with texts of at most some characters.
  private static func table(_ steps: [Step], width: Int) -> PageTable {
    PageTable(
      of: steps,
      [
        PageColumn("at ms", .right) { StoryFigure.number(TimeSpan(nanoseconds: $0.nanoseconds)) },
        PageColumn("main thread") { $0.isOnMain ? shortened($0.text, to: width) : "" },
        PageColumn("other threads") { $0.isOnMain ? "" : shortened($0.text, to: width) },
      ])
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    text.count > width ? String(text.prefix(width - 1)) + "…" : text
  }
}
