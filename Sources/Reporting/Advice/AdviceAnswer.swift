import Metrics

/// An answer of `advise` with all that is told besides: what was simulated, what stands behind the names, and the commands
/// that show it.
///
/// Plain values; `AdviceText`, `AdviceMarkdown` and `AdviceDocument` are what they look like.
package struct AdviceAnswer: Hashable, Sendable {
  package var advice: Advice
  package var question: Question
  /// In the order of the advice's candidates.
  package var stacks: [Stack]
  /// Which context of the advised stack to use for what; empty where none qualifies.
  package var uses: [Use]
  /// Points beside the given one that could not be tried, a sentence each.
  package var untried: [String]
  /// The command that simulates the given point.
  package var showCommand: String
  /// The command that prints the advised wiring as code; nil where none qualifies.
  package var codeCommand: String?

  package init(
    advice: Advice, question: Question, stacks: [Stack], uses: [Use], untried: [String], showCommand: String,
    codeCommand: String?
  ) {
    self.advice = advice
    self.question = question
    self.stacks = stacks
    self.uses = uses
    self.untried = untried
    self.showCommand = showCommand
    self.codeCommand = codeCommand
  }

  /// What was simulated.
  package struct Question: Hashable, Sendable {
    package var profile: String
    package var workload: String
    package var rows: Int
    package var seed: UInt64
    /// Of all points and draws; each one's data verified.
    package var trials: Int

    package init(profile: String, workload: String, rows: Int, seed: UInt64, trials: Int) {
      self.profile = profile
      self.workload = workload
      self.rows = rows
      self.seed = seed
      self.trials = trials
    }

    var text: String {
      "\(workload), \(rows) rows, seed \(seed), simulated \(profile); \(trials) trials, all verified"
    }
  }

  /// What a stack is, in words.
  package struct Stack: Hashable, Sendable {
    package var name: String
    /// As articles number it.
    package var number: String
    package var summary: String

    package init(name: String, number: String, summary: String) {
      self.name = name
      self.number = number
      self.summary = summary
    }
  }

  /// What one context is good for.
  package struct Use: Hashable, Sendable {
    package var purpose: String
    package var context: String
    package var reason: String
    package var source: String

    package init(purpose: String, context: String, reason: String, source: String) {
      self.purpose = purpose
      self.context = context
      self.reason = reason
      self.source = source
    }
  }
}
