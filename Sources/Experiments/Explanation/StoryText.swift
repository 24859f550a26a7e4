import MachineCore
import Reporting

/// A story as numbered lines with aligned columns.
package struct StoryText {
  let story: Story

  package init(story: Story) {
    self.story = story
  }

  private static let headings = ["#", "at ms", "took ms", "queue", "thread", "what happens"]
  private static let rightAligned = 3

  package var text: String {
    let rows = story.lines.enumerated().map { row(number: $0.offset + 1, $0.element) }
    let widths = StoryText.headings.indices.map { column in
      (rows + [StoryText.headings]).map { $0[column].count }.max() ?? 0
    }
    return ([StoryText.headings] + rows).map { row in
      let cells = row.enumerated().map { column, cell in
        if column == row.count - 1 { return cell }
        let alignment: PageTable.Alignment = column < StoryText.rightAligned ? .right : .left
        return alignment.padded(cell, to: widths[column])
      }
      return cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func row(number: Int, _ line: Story.Line) -> [String] {
    let step = line.step
    let count = step.count > 1 ? " ×\(step.count)" : ""
    let indent = String(repeating: "  ", count: line.depth)
    let mark = step.kind == .moment ? "— " : ""
    let took = step.duration > .zero ? StoryText.milliseconds(step.duration) : ""
    return [
      "\(number)", StoryText.milliseconds(story.elapsed(step.begin)), took, step.queue, step.thread,
      indent + mark + step.text + count,
    ]
  }

  /// Returns a span in milliseconds with three decimal places, rounded to the nearest microsecond.
  static func milliseconds(_ span: TimeSpan) -> String {
    let microseconds = (abs(span.nanoseconds) + 500) / 1_000
    let places = String(1_000 + microseconds % 1_000).dropFirst()
    return "\(span.nanoseconds < 0 ? "-" : "")\(microseconds / 1_000).\(places)"
  }
}
