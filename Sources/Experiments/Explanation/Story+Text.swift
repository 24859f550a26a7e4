import MachineCore
import Reporting
import TrialProcesses

extension Story {
  private static let columns: [(heading: String, alignment: PageTable.Alignment)] = [
    ("#", .right), ("at ms", .right), ("took ms", .right), ("queue", .left), ("thread", .left),
    ("what happens", .left),
  ]

  /// The story as numbered lines with aligned columns.
  package var text: String {
    let rows = [Story.columns.map(\.heading)] + lines.enumerated().map { row(number: $0 + 1, $1) }
    let widths = Story.columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.dropLast().enumerated().map { Story.columns[$0].alignment.padded($1, to: widths[$0]) }
      return (cells + row.suffix(1)).joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func row(number: Int, _ line: ScheduleStep.Line) -> [String] {
    let step = line.step
    let indent = String(repeating: "  ", count: line.depth)
    let mark = step.kind == .moment ? "— " : ""
    let took = step.duration > .zero ? StoryFigure.decimal(step.duration) : ""
    return [
      "\(number)", StoryFigure.decimal(step.begin - start), took, step.queue, step.thread,
      indent + mark + step.text + Story.count(step),
    ]
  }

  /// Returns the number of equal steps that were merged into one, or an empty text for a single step.
  static func count(_ step: ScheduleStep) -> String { step.count > 1 ? " ×\(step.count)" : "" }
}
