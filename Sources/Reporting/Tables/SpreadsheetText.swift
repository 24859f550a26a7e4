/// Writes fields so that a spreadsheet takes them for text rather than for a formula.
enum SpreadsheetText {
  private static let firstBytesOfFormulas = Array("=+-@\t\r".utf8)
  private static let apostrophe = UInt8(ascii: "'")

  /// Returns the field with an apostrophe before it if a spreadsheet would take it for a formula, or if it is such a
  /// field that already begins with apostrophes.
  static func escaped(_ field: String) -> String {
    hasFormula(field) && !isNegativeNumber(field) ? "'" + field : field
  }

  /// Returns the field from which `escaped(_:)` made the given one.
  static func unescaped(_ field: String) -> String {
    guard field.utf8.first == apostrophe, hasFormula(field) else { return field }
    return String(decoding: field.utf8.dropFirst(), as: UTF8.self)
  }

  /// Returns true if the text looks like a formula, after any apostrophes at its beginning.
  private static func hasFormula(_ field: String) -> Bool {
    guard let first = field.utf8.first(where: { $0 != apostrophe }) else { return false }
    return firstBytesOfFormulas.contains(first)
  }

  /// Returns true for a minus sign and a number as this program writes it.
  private static func isNegativeNumber(_ field: String) -> Bool {
    field.wholeMatch(of: /-[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/) != nil
  }
}
