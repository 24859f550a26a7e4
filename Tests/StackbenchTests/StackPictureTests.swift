import Foundation
import FoundationXML
import TestSupport
import Testing
import Topologies

@testable import Experiments

/// Tests the pictures of stacks that reports and `stackbench topologies --format svg` show.
@Suite struct StackPictureTests {
  @Test(arguments: Topology.known)
  func `a picture has a box for each context, and nothing lies outside of it`(topology: Topology) throws {
    let svg = StackPicture(topology).text
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    let size = try #require(svg.firstMatch(of: /viewBox="0 0 ([0-9.]+) ([0-9.]+)"/))
    let (width, height) = (try #require(Double(size.output.1)), try #require(Double(size.output.2)))
    for context in topology.contexts { #expect(svg.contains(">\(context.name)</text>"), "\(context.name)") }
    let boxes = svg.matches(of: /<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"/).map { match in
      [match.output.1, match.output.2, match.output.3, match.output.4].compactMap { Double($0) }
    }
    #expect(boxes.count >= topology.contexts.count + 1)
    for (box, next) in zip(boxes, boxes.dropFirst()) { #expect(box[1] + box[3] < next[1]) }
    for box in boxes { #expect(box[0] + box[2] <= width && box[1] + box[3] <= height) }
    for text in svg.matches(of: /<text x="([0-9.]+)"[^>]*>([^<]*)/) {
      let start = try #require(Double(text.output.1))
      #expect(start + SVG.width(of: String(text.output.2), size: 13) <= width, "\(text.output.2)")
    }
  }

  @Test func `charts know every stack, so that each has its own colour`() throws {
    let script = try Repository.text("plots/common/common.gp")
    let list = try #require(script.firstMatch(of: /known_stacks = ((?:[^\n]*\\\n)*[^\n]*)/)).output.1
    let names = list.matches(of: /[a-z]+(?:-[a-z]+)*/).map { String($0.output) }
    let ids = Topology.known.map(\.id).reduce(into: [String]()) { ids, id in if !ids.contains(id) { ids.append(id) } }
    #expect(names == ids)
  }
}
