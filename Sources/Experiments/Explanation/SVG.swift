import Foundation
import Reporting

/// The elements of an SVG document, as text.
enum SVG {
  /// Returns a number with one decimal place, or without one if the number is whole.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : String(format: "%.1f", Double(tenths) / 10)
  }

  /// Returns the approximate width of a text in pixels.
  static func width(of text: String, size: Double = 12) -> Double { Double(text.count) * size * 0.56 }

  static func text(
    _ text: String, x: Double, y: Double, size: Double = 12, fill: String = "#1f2328", anchor: String? = nil,
    weight: String? = nil, halo: Bool = false
  ) -> String {
    var attributes = "x=\"\(number(x))\" y=\"\(number(y))\" fill=\"\(fill)\""
    if size != 12 { attributes += " font-size=\"\(number(size))\"" }
    if let anchor { attributes += " text-anchor=\"\(anchor)\"" }
    if let weight { attributes += " font-weight=\"\(weight)\"" }
    if halo { attributes += " stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"" }
    return "<text \(attributes)>\(HTMLText.escaped(text))</text>"
  }

  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1, stroke: String? = nil,
    title: String? = nil
  ) -> String {
    var attributes =
      "x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" fill=\"\(fill)\""
    if opacity < 1 { attributes += " fill-opacity=\"\(String(format: "%.2f", opacity))\"" }
    if let stroke { attributes += " stroke=\"\(stroke)\" stroke-width=\"0.6\"" }
    guard let title else { return "<rect \(attributes)/>" }
    return "<rect \(attributes)><title>\(HTMLText.escaped(title))</title></rect>"
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" \(style)/>"
  }

  /// Returns the name of the hatching in a color such as `#d9730d`.
  static func pattern(_ color: String) -> String { "hatching-\(color.dropFirst())" }

  /// Returns the arrowhead and the hatchings that other elements refer to.
  static func definitions(colors: [String]) -> String {
    let hatchings = colors.map { color in
      """
      <pattern id="\(pattern(color))" width="6" height="6" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><rect width="6" height="6" fill="#ffffff"/>\
      <line x1="0" y1="0" x2="0" y2="6" stroke="\(color)" stroke-width="3"/></pattern>
      """
    }
    return """
      <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">\
      <path d="M 0 0.5 L 8 4 L 0 7.5 z" fill="#1f2328"/></marker>
      \(hatchings.joined(separator: "\n"))
      </defs>
      """
  }
}
