import Metrics

/// An answer of `advise` with its context: what was simulated, what the names of the stacks mean, and the commands that
/// show the answer.
///
/// The values are plain data; `AdvicePage` presents them.
package struct AdviceAnswer: Hashable, Sendable {
  package var advice: Advice
  package var question: Question
  /// The stacks, in the order of the advice's candidates.
  package var stacks: [Stack]
  /// The uses of the advised stack's contexts; empty if no stack qualifies.
  package var uses: [Use]
  /// The points other than the given one that could not be tried, one sentence for each.
  package var untried: [String]
  /// The command that simulates the given point.
  package var showCommand: String
  /// The command that prints the advised wiring as code; nil if no stack qualifies.
  package var codeCommand: String?
  /// The name of the user's stack, with which the advised one is compared; nil if none was named.
  package var reference: String?
  /// The trials that show how sure the answer is.
  package var samples: Samples
  /// The one of Apple's scales that applies to the run.
  package var hitchScale: HitchScale

  /// The trials in which the stacks are compared one by one.
  package enum Samples: Hashable, Sendable {
    /// Trials on devices drawn from the profile's ranges.
    case drawnDevices
    /// Trials of a live run.
    case liveTrials
  }

  package init(
    advice: Advice, question: Question, stacks: [Stack], uses: [Use], untried: [String], showCommand: String,
    codeCommand: String?, reference: String? = nil, samples: Samples = .drawnDevices, hitchScale: HitchScale = .scroll
  ) {
    self.advice = advice
    self.question = question
    self.stacks = stacks
    self.uses = uses
    self.untried = untried
    self.showCommand = showCommand
    self.codeCommand = codeCommand
    self.reference = reference
    self.samples = samples
    self.hitchScale = hitchScale
  }

  /// The workload, the profile and the seed of the simulation, and its extent.
  package struct Question: Hashable, Sendable {
    package var profile: String
    package var workload: String
    package var rows: Int
    package var seed: UInt64
    /// The number of trials at all points and draws. The data of each trial was verified.
    package var trials: Int

    /// The rows and the list of the run.
    package var conditions: RunConditions

    package init(
      profile: String, workload: String, rows: Int, seed: UInt64, trials: Int,
      conditions: RunConditions = RunConditions(settings: [:], counts: nil)
    ) {
      self.conditions = conditions
      self.profile = profile
      self.workload = workload
      self.rows = rows
      self.seed = seed
      self.trials = trials
    }

    var text: String {
      "\(workload), \(rows) rows\(conditions.changes), seed \(seed), simulated \(profile); \(trials) trials, all verified"
        + (conditions.sentence.map { ". \($0)" } ?? "")
    }
  }

  /// A description of a stack.
  package struct Stack: Hashable, Sendable {
    package var name: String
    /// The number that articles give the stack.
    package var number: String
    package var summary: String
    /// The longest stall on the device with the profile's own values, or nil if no frame was late.
    package var longestStall: StallRow?

    package init(name: String, number: String, summary: String, longestStall: StallRow? = nil) {
      self.longestStall = longestStall
      self.name = name
      self.number = number
      self.summary = summary
    }
  }

  /// A purpose, and the context that serves it.
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
