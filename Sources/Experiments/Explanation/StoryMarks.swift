import MachineCore
import OrderedCollections
import Reporting
import TrialProcesses

/// The rectangles and arrows of a sequence chart.
struct StoryMarks {
  let lanes: Lanes
  /// The colors of the threads.
  let colors: OrderedDictionary<String, String>
  let x: (Instant) -> Double

  private var rectangles: [String] = []
  private var arrows: [String] = []
  private var statements: [String] = []
  private var labels: [String] = []

  init(lanes: Lanes, colors: OrderedDictionary<String, String>, x: @escaping (Instant) -> Double) {
    self.lanes = lanes
    self.colors = colors
    self.x = x
  }

  /// The elements in the order in which they are drawn.
  var elements: [String] { rectangles + statements + arrows + labels }

  /// The number of pixels by which an activity is smaller than the step that contains it, above and below.
  private static let inset = 5.0
  private static let maxDepth = 4

  /// Adds a step and the steps inside it.
  mutating func add(_ step: ScheduleStep) { add(step, depth: 0, freeUntil: step.end) }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - depth: The number of enclosing steps on the same queue.
  ///   - freeUntil: The instant at which the next step of the same thread begins or the enclosing step ends, by which
  ///     a statement must have ended.
  private mutating func add(_ step: ScheduleStep, depth: Int, freeUntil: Instant) {
    let color = colors[step.thread] ?? "#6b7280"
    switch step.kind {
    case .moment, .post, .call: return
    case .statement: return addStatement(step, color, until: freeUntil)
    case .body(let asker, _): addArrow(to: step, from: asker, color)
    case .activity, .wait: break
    }
    let level = min(depth, Self.maxDepth)
    let y = lanes.y(step.queue) + Self.inset * Double(level)
    let height = lanes.height - 2 * Self.inset * Double(level)
    let width = max(x(step.end) - x(step.begin), 0.8)
    let isWait = step.kind == .wait
    let opacity = isWait ? 1 : min(0.28 + 0.2 * Double(level), 0.9)
    rectangles.append(
      SVG.rectangle(
        x: x(step.begin), y: y, width: width, height: height,
        fill: isWait ? "url(#\(SVG.pattern(color)))" : color, opacity: opacity, stroke: color,
        title: "\(step.text), \(StoryFigure.decimal(step.duration)) ms, on \(step.thread)"))
    addLabel(of: step, y: y, height: height)
    for (place, child) in step.children.enumerated() {
      let next = step.children.indices.contains(place + 1) ? step.children[place + 1].begin : step.end
      add(child, depth: child.queue == step.queue ? depth + 1 : 0, freeUntil: next)
    }
  }

  /// Adds the name of an activity or a wait, if the part of the step without wide steps inside has room for it.
  private mutating func addLabel(of step: ScheduleStep, y: Double, height: Double) {
    let text: String
    switch step.kind {
    case .activity(let title): text = title
    case .wait: text = step.text.split(separator: ",").first.map(String.init) ?? step.text
    case .body, .statement, .post, .call, .moment: return
    }
    let inner = step.children.filter { $0.queue == step.queue && $0.kind != .post && $0.kind != .statement }
    let needed = SVG.width(of: text) + 6
    var begin = x(step.begin)
    for child in inner where x(child.begin) - begin < needed { begin = max(begin, x(child.end)) }
    let end = inner.first { x($0.begin) > begin }.map { x($0.begin) } ?? x(step.end)
    guard end - begin >= needed else { return }
    labels.append(SVG.text(text, x: begin + 3, y: y + height / 2 + 4, halo: step.kind == .wait))
  }

  /// Adds the arrow from the lane that asked for a body to the lane that runs it.
  private mutating func addArrow(to step: ScheduleStep, from asker: String?, _ color: String) {
    guard let asker, asker != step.queue, lanes.names.contains(asker), let asked = step.asked else { return }
    let isDown = lanes.y(asker) < lanes.y(step.queue)
    let from = isDown ? lanes.y(asker) + lanes.height : lanes.y(asker)
    let to = isDown ? lanes.y(step.queue) : lanes.y(step.queue) + lanes.height
    arrows.append(
      SVG.line(
        x(asked), from, x(step.begin), to, "stroke=\"#1f2328\" stroke-width=\"1\" marker-end=\"url(#arrow)\""))
  }

  /// Adds a statement to the lane of the store: a transaction as a rectangle, and a read as a stroke.
  private mutating func addStatement(_ step: ScheduleStep, _ color: String, until end: Instant) {
    let y = lanes.y(Story.store)
    let isCommit = step.text.hasSuffix("COMMIT")
    let width = max(x(end) - x(step.begin), 1.2)
    let sql = step.text.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? step.text
    statements.append(
      SVG.rectangle(
        x: x(step.begin), y: y + (isCommit ? 2 : 12), width: width, height: lanes.height - (isCommit ? 4 : 24),
        fill: color, opacity: isCommit ? 0.85 : 0.5, title: "\(sql), on \(step.thread)"))
    let keyword = sql.split(separator: " ").first.map(String.init) ?? sql
    if let text = [sql, keyword].first(where: { width >= SVG.width(of: $0) + 6 }) {
      labels.append(
        SVG.text(
          text, x: x(step.begin) + 3, y: y + lanes.height / 2 + 4, fill: isCommit ? "#ffffff" : "#1f2328"))
    }
  }
}

/// The labels of the moments of a story, above the lanes, in as many rows as they need.
struct MomentLabels {
  private struct Label {
    var text: String
    var place: Double
    var start: Double
    var row: Int
  }

  private var labels: [Label] = []

  /// The number of rows of labels.
  var rowCount: Int { (labels.map(\.row).max() ?? -1) + 1 }

  /// Places a label at each moment. Moments of one instant share a label, and labels lie between two positions.
  init(_ moments: [ScheduleStep], from left: Double, to right: Double, x: (Instant) -> Double) {
    var texts: OrderedDictionary<Int64, [String]> = [:]
    for moment in moments.sorted(by: { ($0.begin, $0.beginOrder, $0.text) < ($1.begin, $1.beginOrder, $1.text) }) {
      texts[moment.begin.nanoseconds, default: []].append(moment.text)
    }
    var ends: [Double] = []
    for (nanoseconds, parts) in texts {
      let text = parts.joined(separator: ", ")
      let place = x(Instant(nanoseconds: nanoseconds))
      let width = SVG.width(of: text)
      let start = min(max(place - 2, left), right - width)
      let row = ends.firstIndex { $0 + 14 < start } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = start + width
      labels.append(Label(text: text, place: place, start: start, row: row))
    }
  }

  /// Returns a line from each label down to the axis, and then the labels, so that no line crosses a text.
  func elements(top: Double, bottom: Double) -> [String] {
    let placed = labels.map { (label: $0, y: top + Double($0.row) * 17) }
    let lines = placed.map { label, y in
      SVG.line(
        label.place, y + 3, label.place, bottom, "stroke=\"#1f2328\" stroke-width=\"1\" stroke-dasharray=\"3 3\"")
    }
    return lines + placed.map { SVG.text($0.text, x: $0.start, y: $1, weight: "bold", halo: true) }
  }
}

/// The explanation of the colors and signs of a sequence chart, in as many rows as it needs.
struct Legend {
  private(set) var elements: [String] = []
  /// The lower edge.
  private(set) var bottom: Double
  private var x = 16.0
  private let width: Double

  private static let rowHeight = 20.0

  init(colors: OrderedDictionary<String, String>, y: Double, width: Double) {
    bottom = y + Self.rowHeight
    self.width = width
    for (thread, color) in colors {
      add(thread == StoryChart.mainThread ? thread : "\(StoryChart.shown(thread)) (thread)") { x, y in
        SVG.rectangle(x: x, y: y, width: 16, height: 12, fill: color, opacity: 0.7, stroke: color)
      }
    }
    let color = colors.values[0]
    add("waits") { x, y in
      SVG.rectangle(x: x, y: y, width: 16, height: 12, fill: "url(#\(SVG.pattern(color)))", stroke: color)
    }
    add("posts a block, or asks for a queue") { x, y in
      SVG.line(x, y + 6, x + 15, y + 6, "stroke=\"#1f2328\" stroke-width=\"1\" marker-end=\"url(#arrow)\"")
    }
  }

  /// Adds a mark with its text, in a new row if the present one lacks the room.
  private mutating func add(_ text: String, _ mark: (_ x: Double, _ y: Double) -> String) {
    let length = 22 + SVG.width(of: text)
    if x + length > width - 16 {
      x = 16
      bottom += Self.rowHeight
    }
    let y = bottom - Self.rowHeight
    elements += [mark(x, y), SVG.text(text, x: x + 22, y: y + 10)]
    x += length + 20
  }
}
