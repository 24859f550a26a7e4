import Foundation

// How predicates compare values: like SQLite, which knows numbers and not their types.

extension Value {
  /// Negative, zero or positive as `left` is less than, equal to or greater than `right`; nil where either is nothing.
  ///
  /// Numbers and truth values compare by size, exactly. Values of types that cannot be compared trap, as no predicate that
  /// was checked compares them.
  package static func order(_ left: Value, _ right: Value) -> Int? {
    if left.isNothing || right.isNothing { return nil }
    if left.isDecimal || right.isDecimal, let left = left.asDecimal, let right = right.asDecimal {
      return left < right ? -1 : (left > right ? 1 : 0)
    }
    switch (left.number, right.number) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : (left > right ? 1 : 0)
    case (.integer(let left), .real(let right)): return order(left, right)
    case (.real(let left), .integer(let right)): return -order(right, left)
    case (.real(let left), .real(let right)): return left < right ? -1 : (left > right ? 1 : 0)
    default: return compare(left, right)
    }
  }

  /// Whether a store has nothing for it.
  private var isNothing: Bool {
    switch self {
    case .null: true
    case .double(let number), .date(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }

  private var isDecimal: Bool {
    if case .decimal = self { true } else { false }
  }

  /// A number as a decimal one: of a floating-point number the shortest that stands for it, as a store reads it.
  private var asDecimal: Decimal? {
    if case .decimal(let decimal) = self { return decimal }
    return switch number {
    case .integer(let number): Decimal(number)
    case .real(let number): Decimal(string: "\(number)")
    case .none: nil
    }
  }

  /// A value that compares by its size.
  enum Number {
    case integer(Int64)
    case real(Double)
    case none
  }

  var number: Number {
    switch self {
    case .integer(let number): .integer(number)
    case .boolean(let isTrue): .integer(isTrue ? 1 : 0)
    case .double(let number): .real(number)
    default: .none
    }
  }

  /// Compares without rounding either.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    // 2^63: the first that no integer reaches.
    if real >= 9_223_372_036_854_775_808 { return -1 }
    if real < -9_223_372_036_854_775_808 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : (rest < 0 ? 1 : 0)
  }
}

// MARK: - Folding

extension Value {
  /// A string as the options compare it; any other value as it is.
  package func folded(_ options: ComparisonOptions) -> Value {
    guard options.isFolding, case .string(let text) = self else { return self }
    return .string(options.fold(text))
  }
}
