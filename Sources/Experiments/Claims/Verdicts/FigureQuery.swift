import Foundation
import TrialProcesses

/// Computes a query in one case of an experiment.
struct FigureQuery {
  let figures: FigureTable
  /// The experiment, or nil for a query of code.
  var experiment: ClaimExperiment?
  /// The values of the settings that define the case.
  var settings: [SettingValue] = []
  /// The name of the trial that defines the case.
  var trial = ""

  /// Returns the figure of the case.
  ///
  /// - Throws: `RunFailure` if a figure is missing from the committed ones.
  func value(of figure: ClaimFigure) throws -> Double {
    switch figure {
    case .value(let operand): try value(of: operand)
    case .quotient(let first, let second): try value(of: first) / value(of: second)
    case .share(let first, let second): try value(of: first) / value(of: second) * 100
    case .difference(let first, let second): try value(of: first) - value(of: second)
    case .largest(let operand, let along): try values(of: operand, along: along).map(\.figure).max() ?? .nan
    case .smallest(let operand, let along): try values(of: operand, along: along).map(\.figure).min() ?? .nan
    case .first(let operand, let along, let condition):
      try values(of: operand, along: along).first { condition.holds(for: $0.figure) }?.place ?? .infinity
    case .last(let operand, let along, let condition):
      try values(of: operand, along: along).prefix { condition.holds(for: $0.figure) }.last?.place ?? -.infinity
    case .count(let operand, let along, let condition):
      Double(try values(of: operand, along: along).count { condition.holds(for: $0.figure) })
    case .place(let operand): try place(of: operand)
    }
  }

  private func place(of operand: Operand) throws -> Double {
    let own = try value(of: operand)
    let others = try values(of: Operand(source: operand.source, at: operand.at), along: ClaimExperiment.stackSetting)
    return Double(1 + others.count { $0.figure < own })
  }

  /// Returns a quantity at each value of a varied setting. The place of a value is the value itself if it is a number,
  /// or else its number in the order of the experiment, counted from 1.
  private func values(of operand: Operand, along name: String) throws -> [(place: Double, figure: Double)] {
    try (experiment?.values(of: name) ?? []).enumerated().map { number, text in
      var operand = operand
      if name == ClaimExperiment.stackSetting {
        operand.stack = text
      } else {
        operand.at.append(SettingValue(name: name, value: text))
      }
      return (Double(text) ?? Double(number + 1), try value(of: operand))
    }
  }

  // MARK: Quantities

  private func value(of operand: Operand) throws -> Double {
    let stack = operand.stack ?? ""
    switch operand.source {
    case .code(let part):
      // The reader has checked the names of stacks.
      return operand.topology(in: experiment).map { Double(CodeCount(of: $0)[part]) } ?? .nan
    case .advice(let priority): return try AdvisedPlace(self, operand: operand, priority: priority).value
    case .columns(let columns):
      let row = try row(of: operand, stack)
      let scale = FigureUnit(ofColumn: columns[0]).scale
      return try columns.reduce(0) { sum, column in
        guard let value = row.values[column] else {
          // A trial that stopped has no measures.
          guard experiment?.mayFail == true else {
            throw RunFailure.usage(
              "\(row.key.text): has no \(column); use a column that such a run fills, or renew kept figures with "
                + "stackbench claims --renew")
          }
          return .nan
        }
        return sum + Double(value) / scale
      }
    }
  }

  /// Returns the row of a stack at the values of an operand.
  func row(of operand: Operand, _ stack: String) throws -> FigureRow {
    let given = settings + operand.at
    let values = (experiment?.varied ?? []).map { setting in
      SettingValue(name: setting.name, value: given.first { $0.name == setting.name }?.value ?? "")
    }
    let key = FigureRow.Key(
      experiment: experiment?.id ?? "", point: ClaimExperiment.Point.text(of: values), stack: stack, trial: trial)
    guard let row = figures[key] else { throw missing(key.text) }
    return row
  }

  private func missing(_ text: String) -> RunFailure {
    .failed("\(text): not among the committed figures; renew them with stackbench claims --renew simulated or live")
  }
}
