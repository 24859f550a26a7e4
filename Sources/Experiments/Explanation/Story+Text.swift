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
    let texts = line.texts(from: start, indentation: "  ", figure: StoryFigure.decimal)
    let mark = line.step.kind == .moment ? "— " : ""
    return [
      "\(number)", texts.begin, texts.duration, line.step.queue, line.step.thread, mark + texts.description,
    ]
  }
}
