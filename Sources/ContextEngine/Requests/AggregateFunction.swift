/// A function that computes one value from many.
public enum AggregateFunction: String, Hashable, Sendable, CaseIterable {
  case count
  case sum
  case minimum = "min"
  case maximum = "max"
  case average = "avg"
}

extension AggregateFunction {
  /// Returns the function's value for the given values. Null values are ignored. Without any other value, a count and a
  /// sum are 0 and the other functions are `.null`.
  func value(of values: [Value]) -> Value {
    let values = values.filter { !$0.isNull }
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return Self.sum(of: values)
    case .average: return values.isEmpty ? .null : .double(Self.total(of: values) / Double(values.count))
    case .minimum: return values.min { (Value.order($0, $1) ?? 0) < 0 } ?? .null
    case .maximum: return values.max { (Value.order($0, $1) ?? 0) < 0 } ?? .null
    }
  }

  /// Returns the sum of the values: an integer if all are integers and the sum fits into 64 bits, otherwise a double.
  private static func sum(of values: [Value]) -> Value {
    var whole: Int64 = 0
    for value in values {
      guard case .integer(let number) = value.number, case (let sum, false) = whole.addingReportingOverflow(number)
      else { return .double(total(of: values)) }
      whole = sum
    }
    return .integer(whole)
  }

  private static func total(of values: [Value]) -> Double {
    values.reduce(0) { sum, value in
      switch value.number {
      case .integer(let number): sum + Double(number)
      case .real(let number): sum + number
      case .none: sum
      }
    }
  }
}
