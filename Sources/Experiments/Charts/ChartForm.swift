/// The format and the size of charts that are written as files.
package struct ChartForm: Hashable, Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case svg
    case png
  }

  /// A size in pixels.
  package struct Size: Hashable, Sendable {
    let width: Int
    let height: Int

    /// The least and the largest number of pixels of a side.
    private static let sides = 300...10_000

    /// Reads a size such as `1200x800`.
    ///
    /// - Throws: `OptionValue.Refusal` for a text that is not a size, or for a size that is out of range.
    package init(_ text: String) throws {
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1] else {
        throw OptionValue.Refusal(description: "not a size; use a width and a height in pixels, as 1200x800")
      }
      guard [width, height].allSatisfy(Size.sides.contains) else {
        throw OptionValue.Refusal(
          description: "out of range; use \(Size.sides.lowerBound) to \(Size.sides.upperBound) pixels for each side")
      }
      self.width = width
      self.height = height
    }

    package var text: String { "\(width)x\(height)" }
  }

  package var format: Format
  /// The size, or nil for the size that the contents need.
  package var size: Size?

  package init(format: Format, size: Size? = nil) {
    self.format = format
    self.size = size
  }

  /// The gnuplot statements that set the size.
  var statements: String {
    size.map { "chart_width = \($0.width); chart_height = \($0.height)" } ?? ""
  }
}
