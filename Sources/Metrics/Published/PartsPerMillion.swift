/// Exact ratios of times, for any length of time.
package enum PartsPerMillion {
  /// Returns ⌊10⁶·part/whole⌋, or nil if the whole is not above zero or the part is negative.
  package static func ratio(of part: Int64, to whole: Int64) -> Int64? {
    guard part >= 0, whole > 0 else { return nil }
    let (quotient, remainder) = part.quotientAndRemainder(dividingBy: whole)
    let product = UInt64(remainder).multipliedFullWidth(by: 1_000_000)
    return quotient * 1_000_000 + Int64(UInt64(whole).dividingFullWidth(product).quotient)
  }
}
