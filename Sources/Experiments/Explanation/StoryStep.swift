import MachineCore

/// Something that a thread did on a queue, with what it did inside.
struct StoryStep {
  enum Kind: Hashable {
    /// A block or the body of a `sync`; from which queue it was asked for, nil from none of the app's.
    case body(askedBy: String?, isPosted: Bool)
    case activity(Activity)
    case wait
    case statement
    case post
    /// Something became durable or visible.
    case moment
  }

  var kind: Kind
  var queue: String
  var thread: String
  var text: String
  var begin: Instant
  /// Where it was heard, which orders equal instants.
  var beginOrder: Int
  var end: Instant
  var endOrder: Int
  /// How long it took, all that were merged into it together.
  var duration: Span
  /// How many equal ones in a row it stands for.
  var count = 1
  var children: [StoryStep] = []

  /// Whether it says the same as another.
  func says(_ other: StoryStep) -> Bool {
    kind == other.kind && queue == other.queue && thread == other.thread && text == other.text
      && children.count == other.children.count
      && zip(children, other.children).allSatisfy { $0.says($1) && $0.count == $1.count }
  }

  /// Whether a step inside, at any depth, meets a condition.
  func contains(where condition: (StoryStep) -> Bool) -> Bool {
    children.contains { condition($0) || $0.contains(where: condition) }
  }

  /// The same, with equal neighbours inside merged.
  var merged: StoryStep {
    var step = self
    step.children = StoryStep.merging(children)
    return step
  }

  /// Makes one of equal neighbours, at every depth.
  static func merging(_ steps: [StoryStep]) -> [StoryStep] {
    var merged: [StoryStep] = []
    for step in steps.map(\.merged) {
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
