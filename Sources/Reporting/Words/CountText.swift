/// The text of counts.
package enum CountText {
  /// Returns a count with its unit, in the plural if the count is not 1.
  package static func of(_ count: Int, _ unit: String) -> String {
    "\(grouped(count)) \(unit)\(count == 1 ? "" : "s")"
  }

  /// Returns a number with commas between groups of three digits.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let grouped = digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }
    return (number < 0 ? "-" : "") + grouped.joined()
  }
}
