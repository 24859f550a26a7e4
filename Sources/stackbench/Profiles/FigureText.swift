import Foundation

/// Numbers as tables print them.
enum FigureText {
  /// Three digits that count, and all before the point; an exact 0 as such.
  static func short(_ number: Double) -> String {
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
