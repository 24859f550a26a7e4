/// A drawing by gnuplot as a part of a page, with unique names and with colours that follow the page's.
struct ChartMarkup {
  private let svg: String
  /// The text before every name in the drawing. A page contains several drawings that use the same names for their
  /// parts.
  private let prefix: String

  /// The name of the chart, which is also part of the caption's identifier.
  private let name: String

  init(svg: String, name: String, prefix: String? = nil) {
    self.svg = svg
    self.name = name
    self.prefix = prefix ?? name
  }

  /// The neutral colours of gnuplot, each with the variable of the page's style that replaces it, so that a chart is
  /// readable on a dark page as well. The colours of stacks and parts are not replaced.
  private static let neutrals = [
    "0,0,0": "ink", "255,255,255": "paper", "51,51,51": "label", "85,85,85": "note", "102,102,102": "axis",
    "187,187,187": "lead", "224,224,224": "faint", "228,228,228": "grid",
  ]

  /// The element `svg` without the lines before it. It takes the size of its place, and its label is the element with
  /// the identifier `chart-` and the name.
  var element: String {
    guard let start = svg.range(of: "<svg") else { return "" }
    let body = svg[start.lowerBound...]
      .replacing(/<title>[^<]*<\/title>\s*/, with: "").replacing(/<desc>[^<]*<\/desc>\s*/, with: "")
      .replacing(/<svg\s+width="[^"]*" height="[^"]*"/) { _ in
        "<svg role=\"img\" aria-labelledby=\"chart-\(name)\""
      }
    return coloured(named(String(body)))
  }

  private func named(_ text: String) -> String {
    text.replacing(/(id=['"]|href=['"]#|url\(#)/) { "\($0.output.1)\(prefix)-" }
  }

  private func coloured(_ text: String) -> String {
    text
      .replacing(/(color|fill|stroke) ?= ?(['"])(black|white|#[0-9a-fA-F]{6}|rgb\([ 0-9,]+\))['"]/) { match in
        let (_, attribute, quote, colour) = match.output
        guard let neutral = Self.neutrals[Self.components(of: colour)] else { return String(match.output.0) }
        return "\(attribute)=\(quote)var(--chart-\(neutral))\(quote)"
      }
  }

  /// Returns the components of a colour, such as `51,51,51` for `rgb(51, 51, 51)` and for `#333333`.
  private static func components(of colour: Substring) -> String {
    switch colour {
    case "black": return "0,0,0"
    case "white": return "255,255,255"
    default: break
    }
    if colour.hasPrefix("#") {
      let digits = Array(colour.dropFirst())
      return stride(from: 0, to: 6, by: 2).map { "\(Int(String(digits[$0...$0 + 1]), radix: 16) ?? 0)" }
        .joined(separator: ",")
    }
    return colour.filter { $0.isNumber || $0 == "," }
  }
}
