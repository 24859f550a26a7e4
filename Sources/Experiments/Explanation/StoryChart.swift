import Foundation
import MachineCore
import OrderedCollections
import Reporting
import TrialProcesses

/// A story as a sequence chart in SVG, drawn to scale.
///
/// Each queue is a lane, and time runs to the right. A rectangle is a block or a `sync` that a queue runs, with the
/// activities inside it. Its color is that of the thread which runs it. A hatched rectangle is a wait, and an arrow is
/// a block that is posted, or a thread that asks for another queue. The lowest lane has the transactions and reads of
/// the store.
package struct StoryChart {
  let title: String
  let subtitles: [String]
  let story: Story

  /// The width of the chart in pixels.
  static let width = 1_200.0
  /// The left edge of the lanes, which leaves room for the longest name.
  private let left: Double
  private static let right = 24.0
  private static let labelRow = 17.0
  private static let laneHeight = 50.0
  private static let laneGap = 20.0

  /// Creates a chart. `subtitles` are lines that say what the story is about, such as the number of records.
  package init(title: String, subtitles: [String], story: Story) {
    self.title = title
    self.subtitles = subtitles
    self.story = story
    let longest = story.lines.map { SVG.width(of: StoryChart.shown($0.step.queue), size: 13) }.max() ?? 0
    left = max(104, longest + 26)
  }

  /// The chart as an SVG document. Its height depends on the number of queues.
  package var text: String {
    let labels = MomentLabels(story.moments, from: left, to: StoryChart.width - StoryChart.right, x: x)
    let labelTop = 43 + 19 * Double(subtitles.count)
    let top = labelTop + StoryChart.labelRow * Double(labels.rowCount)
    let lanes = Lanes(names: laneNames, top: top, height: StoryChart.laneHeight, gap: StoryChart.laneGap)
    var marks = StoryMarks(lanes: lanes, colors: colors, x: x)
    for step in story.steps.sorted(by: { ($0.begin, $0.beginOrder) < ($1.begin, $1.beginOrder) }) { marks.add(step) }
    let axis = lanes.bottom + 14
    let legend = Legend(colors: colors, y: axis + 46, width: StoryChart.width)
    let height = legend.bottom + 14
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(SVG.number(StoryChart.width)) \(SVG.number(height))" \
      width="\(SVG.number(StoryChart.width))" height="\(SVG.number(height))" role="img" \
      font-family="Helvetica, Arial, sans-serif" font-size="12">
      <title>\(HTMLText.escaped(title))</title>
      \(SVG.definitions(colors: colors.values.elements))
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(SVG.text(title, x: 16, y: 24, size: 16, weight: "bold"))
      \(subtitles.enumerated().map { SVG.text($1, x: 16, y: 43 + 19 * Double($0), fill: "#57606a") }.joined())
      \((frame(lanes, axis) + labels.elements(top: labelTop, bottom: axis) + marks.elements + legend.elements).joined(separator: "\n"))
      </svg>
      """
  }

  /// The lanes from the top: the user, then the other queues in the order in which the story first has them, and the
  /// store.
  private var laneNames: OrderedSet<String> {
    var names = story.queues
    if let user = names.remove("user") { names.insert(user, at: 0) }
    names.append(Story.store)
    return names
  }

  /// The colors of the threads that run a step of the story, in the order in which they first do.
  private var colors: OrderedDictionary<String, String> {
    var colors: OrderedDictionary = [Self.mainThread: "#d9730d"]
    var rest = ["#2f6fb7", "#3c8d53", "#7a5bb5", "#8c6d1f", "#b0457b", "#4b8f8c", "#6b7280", "#a0522d"][...]
    for line in story.lines where !line.step.thread.isEmpty && colors[line.step.thread] == nil {
      colors[line.step.thread] = rest.popFirst() ?? "#6b7280"
    }
    return colors
  }

  static let mainThread = "main thread"

  /// Returns the name of a queue or a thread without the identifier of a store.
  static func shown(_ name: String) -> String {
    let parts = name.components(separatedBy: " of ")
    guard parts.count > 1, let last = parts.last, UUID(uuidString: last) != nil else { return name }
    return parts.dropLast().joined(separator: " of ")
  }
}

// MARK: - Time

extension StoryChart {
  /// The instants at which the chart begins and ends.
  private var range: (begin: Instant, end: Instant) {
    let instants = story.moments.map(\.begin) + story.steps.flatMap { [$0.begin, $0.end] }
    return (instants.min() ?? Instant(nanoseconds: 0), instants.max() ?? Instant(nanoseconds: 1))
  }

  private var span: TimeSpan { max(range.end - range.begin, TimeSpan(nanoseconds: 1)) }

  /// Returns the horizontal position of an instant.
  private func x(_ instant: Instant) -> Double {
    let share = Double((instant - range.begin).nanoseconds) / Double(span.nanoseconds)
    return left + share * (StoryChart.width - left - StoryChart.right)
  }

  /// The distance of two marks of the axis: 1, 2 or 5 times a power of ten, so that there are at most about 14.
  private var tickDistance: Int64 {
    let steps = [1, 2, 5].flatMap { factor in
      [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000].map { factor * $0 as Int64 }
    }
    return steps.sorted().first { span.nanoseconds / $0 <= 14 } ?? 10_000_000_000
  }

  /// The lanes' backgrounds and names, and the axis.
  private func frame(_ lanes: Lanes, _ axis: Double) -> [String] {
    var elements: [String] = []
    for name in lanes.names {
      let y = lanes.y(name)
      elements.append(
        SVG.rectangle(
          x: left, y: y, width: StoryChart.width - left - StoryChart.right,
          height: lanes.height, fill: "#f4f5f7"))
      elements.append(
        SVG.text(StoryChart.shown(name), x: left - 10, y: y + lanes.height / 2 + 5, size: 13, anchor: "end"))
    }
    for offset in stride(from: 0, through: (range.end - range.begin).nanoseconds, by: Int(tickDistance)) {
      let place = x(range.begin + TimeSpan(nanoseconds: offset))
      elements.append(SVG.line(place, lanes.top, place, axis + 4, "stroke=\"#d0d4da\" stroke-width=\"0.7\""))
      let label = SpanText.milliseconds(TimeSpan(nanoseconds: offset))
      elements.append(SVG.text(label, x: place, y: axis + 18, fill: "#57606a", anchor: "middle"))
    }
    elements.append(
      SVG.text(
        "milliseconds", x: StoryChart.width - StoryChart.right, y: axis + 33, fill: "#57606a", anchor: "end"))
    return elements
  }
}

/// The lanes of a chart, from the top.
struct Lanes {
  let names: OrderedSet<String>
  let top: Double
  let height: Double
  let gap: Double

  /// Returns the upper edge of a lane.
  func y(_ name: String) -> Double { top + Double(names.firstIndex(of: name) ?? 0) * (height + gap) }

  var bottom: Double { top + Double(names.count) * (height + gap) - gap }
}
