import MachineCore
import Reporting

/// An action of a thread on a queue, with the steps that the thread took inside it, or a moment without duration.
package struct ScheduleStep {
  package enum Kind: Hashable {
    /// A block, or the body of a `sync`.
    ///
    /// `askedBy` is the label of the queue whose body posted the block or called `sync`. It is nil if the driver did
    /// so, or a thread that ran no body.
    case body(askedBy: String?, isPosted: Bool)
    /// An activity with its title.
    case activity(String)
    case wait
    case statement
    case post
    /// A call that the program noted.
    case call
    /// A moment without duration, such as the one at which a payload becomes durable or visible.
    case moment
  }

  /// The queue or lock for which a thread waits, and the threads concerned.
  package struct Wait: Hashable {
    /// The label of the queue or lock.
    package var label: String
    /// The number of the thread that has the queue or lock, or nil if it is not known.
    package var holder: Int?
    /// The name of the thread that has the queue or lock, or nil if it is not known.
    package var holderName: String?
    /// The innermost activity of the waiting thread, with the queue whose body it ran.
    package var place: String
  }

  /// The kind of the action.
  package var kind: Kind
  /// The label of the innermost queue whose body the thread runs.
  package var queue: String
  /// The number of the thread.
  package var strand: Int
  /// The name of the thread.
  package var thread: String
  /// A description of the action.
  package var text: String
  /// The SQL of a statement.
  package var sql: String?
  /// The particulars of a wait, or nil if the step is none or waits for the clock.
  package var wait: Wait?
  /// The instant of the step's first event.
  package var begin: Instant
  /// The position of the step's first event among all recorded events, which orders steps that begin at equal instants.
  package var beginOrder: Int
  /// The instant of the step's last event.
  package var end: Instant
  /// The position of the step's last event among all recorded events.
  package var endOrder: Int
  /// The instant at which a block was posted, or at which a thread began to wait for the queue of a `sync`. It is nil
  /// for other steps, and if that moment is not among the steps.
  package var asked: Instant?
  /// The time that the step took. A merged step has the sum of its parts.
  package var duration = TimeSpan.zero
  /// The number of equal neighbouring steps that were merged into this one.
  package var count = 1
  /// True if the recording ended before the step did.
  package var isUnfinished = false
  /// The steps that the thread took inside this one.
  package var children: [ScheduleStep] = []

  /// Creates a step without duration.
  package init(
    _ kind: Kind, _ text: String, queue: String = "", thread: String = "", strand: Int = ScheduleThreads.driver,
    at instant: Instant, order: Int
  ) {
    self.kind = kind
    self.queue = queue
    self.strand = strand
    self.thread = thread
    self.text = text
    begin = instant
    beginOrder = order
    end = instant
    endOrder = order
  }

  /// Returns true if another step is shown in the same way: with the same kind, queue, thread, text and steps
  /// inside. Instants and durations may differ.
  package func says(_ other: ScheduleStep) -> Bool {
    kind == other.kind && isUnfinished == other.isUnfinished && queue == other.queue && thread == other.thread
      && text == other.text
      && children.count == other.children.count
      && zip(children, other.children).allSatisfy { $0.says($1) && $0.count == $1.count }
  }

  /// Returns the steps with equal neighbours merged into one, at every depth.
  package static func merging(_ steps: [ScheduleStep]) -> [ScheduleStep] {
    var merged: [ScheduleStep] = []
    for var step in steps {
      step.children = merging(step.children)
      if let last = merged.last, last.says(step) {
        merged[merged.count - 1].count += step.count
        merged[merged.count - 1].duration += step.duration
        merged[merged.count - 1].end = step.end
        merged[merged.count - 1].endOrder = step.endOrder
      } else {
        merged.append(step)
      }
    }
    return merged
  }
}

// MARK: - Lines

extension ScheduleStep {
  /// A step as a line of a story.
  package struct Line {
    package let step: ScheduleStep
    /// The number of steps that enclose this one in the story.
    package let depth: Int

    package init(_ step: ScheduleStep, depth: Int = 0) {
      self.step = step
      self.depth = depth
    }

    /// Returns the texts of a line.
    ///
    /// - Parameters:
    ///   - start: The instant at which the story begins.
    ///   - indentation: The text before the description for each enclosing step.
    ///   - figure: Returns the text of a span.
    /// - Returns: The time from `start`, the duration or an empty text for a step without one, and the description with
    ///   the number of equal steps.
    package func texts(
      from start: Instant, indentation: String, figure: (TimeSpan) -> String
    ) -> (begin: String, duration: String, description: String) {
      (
        figure(step.begin - start), step.duration > .zero ? figure(step.duration) : "",
        String(repeating: indentation, count: depth) + step.text + step.repetition
          + (step.isUnfinished ? ", which does not end" : "")
      )
    }
  }

  /// The number of equal steps that were merged into this one, such as ` ×12`, or an empty text for a single step.
  package var repetition: String { count > 1 ? " ×\(CountText.grouped(count))" : "" }

  /// Returns the step and those inside it, each before the steps inside it.
  ///
  /// - Parameters:
  ///   - depth: The number of steps that enclose this one.
  ///   - limit: The largest number of steps that may enclose a line.
  ///   - isShown: A condition on the steps inside. Those that do not meet it are left out, with the steps inside them.
  /// - Returns: The lines.
  package func lines(
    depth: Int = 0, upTo limit: Int = .max, where isShown: (ScheduleStep) -> Bool = { _ in true }
  ) -> [Line] {
    let inside = depth < limit ? children.filter(isShown) : []
    return [Line(self, depth: depth)] + inside.flatMap { $0.lines(depth: depth + 1, upTo: limit, where: isShown) }
  }

  /// Returns lines in the order of time.
  package static func ordered(_ lines: [Line]) -> [Line] {
    lines.enumerated().sorted { first, second in
      (first.element.step.begin, first.element.step.beginOrder, first.offset)
        < (second.element.step.begin, second.element.step.beginOrder, second.offset)
    }.map(\.element)
  }
}
