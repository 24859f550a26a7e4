import Metrics

/// The unit in which figures of claims and their thresholds are given.
package enum FigureUnit: Hashable, Sendable {
  case nanoseconds
  case milliseconds
  case millisecondsPerSecond
  case megabytes
  case rowsPerSecond
  case count
  /// The factor between two quantities.
  case ratio
  case percent
  /// A value of the setting with this name.
  case setting(String)

  /// The unit of a column of the figures.
  package init(ofColumn name: String) {
    if let column = ScenarioColumn(rawValue: name) {
      self = column.unit
      return
    }
    if PeerColumn(rawValue: name) != nil {
      self = .nanoseconds
      return
    }
    self =
      switch Measure.named(name)?.unit {
      case .nanoseconds: .milliseconds
      case .microsecondsPerSecond: .millisecondsPerSecond
      case .bytes: .megabytes
      case .rowsPerSecond: .rowsPerSecond
      case .count, nil: .count
      }
  }

  /// The unit of a query's figures.
  package init(of figure: ClaimFigure) {
    switch figure {
    case .quotient: self = .ratio
    case .share: self = .percent
    case .first(_, let along, _), .last(_, let along, _): self = .setting(along)
    case .count, .place: self = .count
    case .value, .difference, .largest, .smallest:
      self = FigureUnit(of: figure.operands[0])
    }
  }

  /// The unit of a quantity.
  private init(of operand: Operand) {
    switch operand.source {
    case .columns(let columns): self = columns.first.map(FigureUnit.init(ofColumn:)) ?? .count
    case .code, .advice: self = .count
    }
  }

  /// The number of units of a column that one of these units has.
  var scale: Double {
    switch self {
    case .milliseconds, .megabytes: 1_000_000
    case .millisecondsPerSecond: 1_000
    case .nanoseconds, .rowsPerSecond, .count, .ratio, .percent, .setting: 1
    }
  }

  /// The words behind a number.
  package var suffix: String {
    switch self {
    case .nanoseconds: " ns"
    case .milliseconds: " ms"
    case .millisecondsPerSecond: " ms/s"
    case .megabytes: " MB"
    case .rowsPerSecond: " rows/s"
    case .ratio: " ×"
    case .percent: " %"
    case .count, .setting: ""
    }
  }
}
