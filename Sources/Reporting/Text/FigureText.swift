import Foundation

/// Numbers as tables print them.
package enum FigureText {
  /// Returns a number with three significant digits and all digits before the point, without trailing zeros behind the
  /// point.
  package static func short(_ number: Double) -> String {
    guard number != 0 else { return "0" }
    let magnitude = Int(log10(abs(number)).rounded(.down))
    let decimals = max(0, 2 - magnitude)
    var text = String(format: "%.\(decimals)f", number)
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text
  }
}
