import Metrics
import Topologies

/// A query that computes one number for each case of an experiment.
package enum ClaimFigure: Hashable, Sendable {
  /// One quantity.
  case value(Operand)
  /// The first quantity divided by the second. It has no value if both are zero, and is infinite if the second is.
  case quotient(Operand, Operand)
  /// The first quantity in per cent of the second. It has no value if both are zero.
  case share(Operand, Operand)
  /// The first quantity less the second.
  case difference(Operand, Operand)
  /// The greatest value of a quantity along a varied setting.
  case largest(Operand, along: String)
  /// The least value of a quantity along a varied setting.
  case smallest(Operand, along: String)
  /// The first value of a varied setting at which a quantity fulfils a condition, or infinity if it never does.
  case first(Operand, along: String, Condition)
  /// The last value of a varied setting up to which a quantity always fulfils a condition, or minus infinity if the
  /// quantity does not fulfil it at the first value.
  case last(Operand, along: String, Condition)
  /// The number of values of a varied setting at which a quantity fulfils a condition.
  case count(Operand, along: String, Condition)
  /// The place of a stack among all stacks of the experiment in ascending order of a quantity, counted from 1. Equal
  /// quantities share a place.
  case place(Operand)

  /// The quantities of the query.
  package var operands: [Operand] {
    switch self {
    case .value(let operand), .largest(let operand, _), .smallest(let operand, _), .first(let operand, _, _),
      .last(let operand, _, _), .count(let operand, _, _), .place(let operand):
      [operand]
    case .quotient(let first, let second), .share(let first, let second), .difference(let first, let second):
      [first, second]
    }
  }

  /// The setting along which the query searches, or nil if it does not search.
  package var along: String? {
    switch self {
    case .largest(_, let along), .smallest(_, let along), .first(_, let along, _), .last(_, let along, _),
      .count(_, let along, _):
      along
    case .value, .quotient, .share, .difference, .place: nil
    }
  }
}

/// A quantity of one stack.
package struct Operand: Hashable, Sendable {
  package var source: Source
  /// The title of the stack, or nil if the query searches along the stacks.
  package var stack: String?
  /// The values of varied settings, as the experiment writes them.
  package var at: [SettingValue] = []

  /// The origin of a quantity.
  package enum Source: Hashable, Sendable {
    /// The sum of columns of the results.
    case columns([String])
    /// A count of the stack's description or of its printed code.
    case code(CodePart)
    /// The place of the stack in the answer of `stackbench advise` with a priority, counted from 1. A stack that the
    /// answer does not place behind another one shares its place.
    case advice(AdvicePriority)
  }

  /// The counts of a stack's description and code.
  package enum CodePart: String, CaseIterable, Hashable, Sendable {
    /// The contexts of the description.
    case contexts
    /// The rules that follow a save or a payload.
    case rules
    /// The lines of the printed Swift file that are neither empty nor comments.
    case lines
    /// The statements of the printed initializer that make and connect contexts.
    case setUpLines = "set-up-lines"
  }

  /// Returns the stack of the quantity in an experiment, or the known stack with its name, or nil if there is none.
  func topology(in experiment: ClaimExperiment?) -> Topology? {
    guard let stack else { return nil }
    return experiment?.topology(titled: stack) ?? Topology.named(stack)
  }

  /// The columns of the results that the quantity needs.
  package var columns: [String] {
    switch source {
    case .columns(let columns): columns
    case .code: []
    case .advice(let priority):
      priority.criteria.map(\.measure.name) + AdviceLimit.correctness.map(\.measure.name)
    }
  }
}

/// A setting of a run and its value, as text.
package struct SettingValue: Hashable, Sendable {
  package var name: String
  package var value: String

  /// The two in the form in which the table of figures has them.
  package var text: String { "\(name)=\(value)" }
}
