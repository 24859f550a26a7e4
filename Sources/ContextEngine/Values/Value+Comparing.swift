import Foundation

// The comparisons of predicates. They compare numbers as SQLite does, without regard to their types.

extension Value {
  /// Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than `right`, or
  /// nil if either is null or NaN.
  ///
  /// Numbers and truth values are compared by size, without rounding. Values of types that cannot be compared trap; a
  /// predicate that was checked does not compare them.
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

  /// True if a store keeps the value as NULL.
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

  /// The value as a `Decimal`, or nil if it is neither a number nor a truth value. A floating-point number
  /// becomes the shortest decimal that represents it, as a store reads it.
  private var asDecimal: Decimal? {
    if case .decimal(let decimal) = self { return decimal }
    return switch number {
    case .integer(let number): Decimal(number)
    case .real(let number): Decimal(string: "\(number)")
    case .none: nil
    }
  }

  /// The number in a value; `none` if the value is neither an integer, a floating-point number nor a truth value.
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

  /// Returns a negative number, zero or a positive number if the integer is less than, equal to or greater than the
  /// floating-point number. Compares without rounding either.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    // 2^63 is the first number that is too large for an integer.
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
  /// Returns the folded string under the options if the value is a string, or else the value itself.
  package func folded(_ options: ComparisonOptions) -> Value {
    guard options.isFolding, case .string(let text) = self else { return self }
    return .string(options.fold(text))
  }
}
