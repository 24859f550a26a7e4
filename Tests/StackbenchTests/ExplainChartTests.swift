import Foundation
import FoundationXML
import InputFiles
import MachineCore
import Testing
import Topologies

@testable import Experiments
@testable import stackbench

/// Tests the sequence charts of `stackbench explain`.
@Suite struct ExplainChartTests {
  /// An element of an SVG document with its text.
  private struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""

    func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? .nan }
  }

  /// Collects the elements of a document in the order in which they begin.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }

  private func elements(_ svg: String) throws -> [Element] {
    let reader = Reader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reader.elements
  }

  private func chart(_ arguments: String...) throws -> [Element] {
    try elements(ExplainCommand.parse(arguments + ["--format", "svg"]).text())
  }

  private func story(_ topology: Topology, rows: Int) throws -> Story {
    try ExplainCommand.parse([topology.title, "--rows", "\(rows)"])
      .story(of: topology, on: ProfileLibrary.profile(named: ProfileLibrary.standardName))
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `a chart has a lane for each queue, all within its edges, and no arrow leads back in time`(
    _ topology: Topology
  ) throws {
    let story = try story(topology, rows: 100)
    let subtitles = [topology.summary, "one payload of 100 records and one edit on iphone-15-pro"]
    let elements = try elements(StoryChart(title: topology.title, subtitles: subtitles, story: story).text)
    let arrows = elements.filter { $0.attributes["marker-end"] != nil }
    #expect(arrows.count >= 3)
    for arrow in arrows { #expect(arrow.number("x1") <= arrow.number("x2")) }
    let texts = elements.filter { $0.name == "text" }
    let queues = Set(story.lines.map(\.step.queue)).subtracting([""]).union(["store"])
    for queue in queues { #expect(texts.contains { $0.text == StoryChart.shown(queue) }, "no lane of \(queue)") }
    let width = StoryChart.width
    for text in texts {
      let isAtEnd = text.attributes["text-anchor"] == "end"
      let isCentered = text.attributes["text-anchor"] == "middle"
      let length = SVG.width(of: text.text, size: text.attributes["font-size"].flatMap(Double.init) ?? 12)
      let start = text.number("x") - (isAtEnd ? length : isCentered ? length / 2 : 0)
      #expect(start >= 0 && start + length <= width, "\(text.text)")
    }
    for rectangle in elements.filter({ $0.name == "rect" && $0.attributes["x"] != nil }) {
      #expect(rectangle.number("x") >= 0 && rectangle.number("x") + rectangle.number("width") <= width)
      #expect(rectangle.number("height") > 0)
    }
  }

  @Test func `rectangles are as long as the steps take, to scale`() throws {
    let story = try story(.threeTier, rows: 100)
    let elements = try chart("three-tier", "--rows", "100")
    let instants = story.moments.map(\.begin) + story.steps.flatMap { [$0.begin, $0.end] }
    let span = Double((instants.max()! - instants.min()!).nanoseconds)
    let lane = try #require(elements.first { $0.attributes["fill"] == "#f4f5f7" })
    let blocks = story.steps.filter { $0.duration.nanoseconds > 200_000 }
    #expect(blocks.count >= 5)
    for block in blocks {
      let width = lane.number("width") * Double(block.duration.nanoseconds) / span
      let place = lane.number("x") + lane.number("width") * Double((block.begin - instants.min()!).nanoseconds) / span
      let isDrawn = elements.contains {
        $0.name == "rect" && abs($0.number("x") - place) <= 0.1 && abs($0.number("width") - width) <= 0.1
      }
      #expect(isDrawn, "\(block.text) on \(block.queue)")
    }
  }

  @Test func `the lane of the root shows in the color of the main thread what the main thread does there`() throws {
    let elements = try chart("three-tier", "--rows", "100")
    let root = try #require(elements.first { $0.name == "text" && $0.text == "root" }).number("y")
    let main = try #require(elements.firstIndex { $0.name == "text" && $0.text == "main thread" })
    let color = try #require(elements[main - 1].attributes["fill"])
    let inRoot = elements.filter {
      $0.name == "rect" && $0.attributes["fill"] == color
        && abs($0.number("y") + $0.number("height") / 2 + 5 - root) < 1
    }
    #expect(inRoot.contains { $0.number("width") > 10 })
  }

  @Test func `names with markup are written as text`() throws {
    let story = try story(.allMain, rows: 6)
    let svg = StoryChart(title: "<b>&\"", subtitles: ["a < b"], story: story).text
    let texts = try elements(svg).filter { $0.name == "text" }.map(\.text)
    #expect(texts.contains("<b>&\"") && texts.contains("a < b"))
  }
}
