import Foundation
import InputFiles
import Reporting
import Topologies

/// A picture of a stack in SVG that is readable on a phone.
///
/// The store is at the top. Each context is a box below its parent, indented, with an arrow to where it saves. Dashed
/// arrows at the right lead from a save or a payload to what follows it.
package struct StackPicture {
  private let topology: Topology
  private let graph: TopologyGraph

  package init(_ topology: Topology) {
    self.topology = topology
    graph = TopologyGraph(topology)
  }

  /// The width in pixels.
  private static let width = 360.0
  private static let margin = 12.0
  private static let indent = 26.0
  private static let gap = 14.0
  private static let lineHeight = 17.0
  private static let fontSize = 13.0
  /// The distance between two dashed arrows.
  private static let lane = 14.0

  /// A box of the picture.
  private struct Box {
    let name: String
    let title: String
    let lines: [String]
    let x: Double
    let y: Double
    let width: Double
    let isMain: Bool
    let isDashed: Bool
    var parent: String?

    var height: Double { 12 + Double(lines.count + 1) * StackPicture.lineHeight }
    var middle: Double { y + height / 2 }
  }

  /// The picture as an SVG document.
  package var text: String {
    let boxes = boxes
    let height = (boxes.last.map { $0.y + $0.height } ?? 0) + Self.margin
    let size = "\(SVG.number(Self.width))\" height=\"\(SVG.number(height))"
    return """
      <svg width="\(size)" viewBox="0 0 \(SVG.number(Self.width)) \(SVG.number(height))" \
      xmlns="http://www.w3.org/2000/svg" font-family="Helvetica, Arial, sans-serif" font-size="12">
      <title>\(HTMLText.escaped(topology.title))</title>
      <defs>
      <marker id="saves" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
      <path d="M 0 0.5 L 8 4 L 0 7.5 z" fill="#333333"/></marker>
      <marker id="follows" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
      <path d="M 0 0.5 L 8 4 L 0 7.5 z" fill="#d55e00"/></marker>
      </defs>
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(SVG.text("\(topology.title) (\(topology.number))", x: Self.margin, y: 24, size: 15, fill: "#000000", weight: "bold"))
      \((boxes.map(element) + savingArrows(boxes) + reactingArrows(boxes)).joined(separator: "\n"))
      </svg>
      """
  }
}

// MARK: - Boxes

extension StackPicture {
  /// The boxes from the top: the store, the contexts, each behind its parent, and the payload if something follows it.
  private var boxes: [Box] {
    var boxes: [Box] = []
    func add(
      _ name: String, title: String, lines: [String], depth: Int, isMain: Bool = false, isDashed: Bool = false,
      parent: String? = nil
    ) {
      let x = Self.margin + Double(depth) * Self.indent
      let width = Self.width - Self.margin - gutter - x
      let columns = max(12, Int((width - 20) / (Self.fontSize * 0.56)))
      let own = lines + notes(from: name)
      boxes.append(
        Box(
          name: name, title: title, lines: own.flatMap { WrappedText.lines($0, width: columns) }, x: x,
          y: boxes.last.map { $0.y + $0.height + Self.gap } ?? 38, width: width, isMain: isMain, isDashed: isDashed,
          parent: parent))
    }
    func addChildren(of parent: String?, depth: Int) {
      for context in topology.contexts where context.parent == parent {
        // A damaged description may have two contexts that are each other's parents.
        guard !boxes.contains(where: { $0.name == context.name }) else { continue }
        let isMain = context.queue == .main
        let described = graph.lines(on: context).joined(separator: ", ")
        let saving = graph.savingLabel(of: context)
        add(
          context.name, title: context.name, lines: [described] + (saving == "saves" ? [] : [saving]), depth: depth,
          isMain: isMain,
          parent: parent ?? TopologyGraph.store)
        addChildren(of: context.name, depth: depth + 1)
      }
    }
    add(TopologyGraph.store, title: "store", lines: [], depth: 0)
    addChildren(of: nil, depth: 1)
    if graph.followsPayload {
      add(TopologyGraph.payload, title: TopologyGraph.payloadLabel, lines: [], depth: 0, isDashed: true)
    }
    return boxes
  }

  /// Returns a line for each dashed arrow that begins at a box.
  private func notes(from name: String) -> [String] {
    graph.reactions.filter { $0.source == name }.map {
      "\u{2192} \($0.target): \($0.label.replacing("\n", with: " "))"
    }
  }

  /// The room for the dashed arrows at the right.
  private var gutter: Double { graph.reactions.isEmpty ? 0 : 8 + Double(graph.reactions.count) * Self.lane }

  private func element(_ box: Box) -> String {
    let stroke = box.isMain ? "#0072b2" : "#666666"
    let dashes = box.isDashed ? " stroke-dasharray=\"5 3\"" : ""
    let frame =
      "<rect x=\"\(SVG.number(box.x))\" y=\"\(SVG.number(box.y))\" width=\"\(SVG.number(box.width))\" "
      + "height=\"\(SVG.number(box.height))\" rx=\"5\" fill=\"#ffffff\" stroke=\"\(stroke)\" "
      + "stroke-width=\"\(box.isMain ? "2.5" : "1.2")\"\(dashes)/>"
    let texts = ([box.title] + box.lines).enumerated().map { index, line in
      SVG.text(
        line, x: box.x + 10, y: box.y + Self.lineHeight * Double(index + 1) + 2, size: Self.fontSize,
        fill: index == 0 ? "#000000" : "#333333", weight: index == 0 ? "bold" : nil)
    }
    return ([frame] + texts).joined(separator: "\n")
  }
}

// MARK: - Arrows

extension StackPicture {
  private func savingArrows(_ boxes: [Box]) -> [String] {
    boxes.compactMap { box in
      guard let parent = boxes.first(where: { $0.name == box.parent }) else { return nil }
      let x = parent.x + Self.indent / 2
      return arrow(
        "M \(SVG.number(box.x)) \(SVG.number(box.middle)) H \(SVG.number(x)) V \(SVG.number(parent.y + parent.height))",
        color: "#333333", marker: "saves")
    }
  }

  private func reactingArrows(_ boxes: [Box]) -> [String] {
    let right = Self.width - Self.margin - gutter
    return graph.reactions.enumerated().compactMap { index, reaction in
      let ends = [reaction.source, reaction.target].enumerated().compactMap { end, name in
        boxes.first { $0.name == name }.map { height(of: 2 * index + end, at: $0) }
      }
      guard ends.count == 2 else { return nil }
      let x = right + 8 + Double(index + 1) * Self.lane - 6
      return arrow(
        "M \(SVG.number(right)) \(SVG.number(ends[0])) H \(SVG.number(x)) V \(SVG.number(ends[1])) H \(SVG.number(right))",
        color: "#d55e00", marker: "follows", isDashed: true)
    }
  }

  /// Returns the height of an end of a dashed arrow at a box. The ends at one box are evenly spaced.
  private func height(of end: Int, at box: Box) -> Double {
    let names = graph.reactions.flatMap { [$0.source, $0.target] }
    let ends = names.indices.filter { names[$0] == box.name }
    return box.y + box.height * Double((ends.firstIndex(of: end) ?? 0) + 1) / Double(ends.count + 1)
  }

  private func arrow(_ path: String, color: String, marker: String, isDashed: Bool = false) -> String {
    "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.4\""
      + (isDashed ? " stroke-dasharray=\"4 3\"" : "") + " marker-end=\"url(#\(marker))\"/>"
  }
}
