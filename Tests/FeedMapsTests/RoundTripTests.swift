import Foundation
import TestSupport
import Testing
import Workloads

@testable import InputFiles

/// Maps that are written and read again.
@Suite struct RoundTripTests {
  static let feeds = [
    #"[{"id":1,"name":"A"},{"id":2,"name":"B"}]"#,
    #"[{"id":1,"brand":{"name":"A"}},{"id":2,"brand":{"name":"A"}},{"id":3,"brand":{"name":"B"}},{"id":4}]"#,
    #"[{"id":1,"lines":[{"id":10,"n":1},{"id":11,"n":2}]},{"id":2,"lines":[{"id":12,"n":1}]}]"#,
    #"[{"id":1,"tags":[{"t":"x"},{"t":"y"}]},{"id":2,"tags":[{"t":"y"}]}]"#,
    #"[{"id":1,"reply":{"id":7,"reply":{"id":8,"text":"z"},"text":"y"}}]"#,
    #"{"data":{"children":[{"kind":"a","data":{"a.b":1,"true":2,"note":"x"}},{"kind":"a","data":{"a.b":3,"":4}}]}}"#,
    #"{"k1":{"name":"A","o":{"a":1}},"k2":{"name":"B","o":{"a":2}},"k3":{"name":"C","o":{"a":2}}}"#,
    ##"[{"type":"a","deleted":true,"o":{"type":2},"line\nbreak":1,"~":2,"null":3,"#":4}]"##,
  ]

  /// Expects that a map changes neither the schema nor the payloads if it is written and read again.
  private func expectUnchanged(_ bench: MapBench) throws {
    let text = try bench.text()
    let line = try FeedMapFile.line(of: FeedMapFile.map(from: text, place: "map.yaml"))
    try bench.withArchive { plain in
      for map in [text, line] {
        try bench.withArchive(map) { mapped in
          #expect(mapped.schema == plain.schema)
          #expect(mapped.texts == plain.texts)
          #expect(mapped.remarks == plain.remarks)
        }
      }
    }
    let again = try bench.text(text)
    #expect(again == text)
  }

  @Test(arguments: feeds) func `an inferred map that is read again changes nothing`(_ feed: String) throws {
    try expectUnchanged(MapBench(feed: feed))
  }

  @Test(arguments: [
    MapSamples.people,
    #"[{"id":1,"title":"A","cityName":"Rome","born_at":"2001-01-02","address":{"x":1}},{"id":2,"title":"B"}]"#,
    #"[{"title":"A","remoteID":7,"city":{"name":"Rome","people":[]}},{"title":"B","remoteID":8,"city":null}]"#,
  ])
  func `a map to a model that is read again changes nothing`(_ feed: String) throws {
    try expectUnchanged(MapBench(feed: feed, model: MapSamples.model))
  }

  @Test func `a map in one line is the same map`() throws {
    let text = """
      shape: {container: list, path: a.b}
      records: Item
      entities:
        Item:
          key: {content: digest}
          attributes: {a: x.y, b: {member: [x.y], date: seconds}, c: {value: "~"}, d: ~, e: {value: 1, type: Decimal}}
          relationships: {r: q, s: {member: t, by: id, to: Item}, u: ~}
          ignore: [v, w.x]
          edit: ~
        Gone: ~
      """
    let map = try FeedMapFile.map(from: text, place: "")
    let line = FeedMapFile.line(of: map)
    #expect(!line.contains("\n") && !line.contains("--"))
    let again = try FeedMapFile.map(from: line, place: "")
    #expect(FeedMapFile.line(of: again) == line)
    #expect(again.entities.map(\.isRemoved) == [false, true])
    #expect(again.entities[0].attributes.map(\.source) == map.entities[0].attributes.map(\.source))
    #expect(map.entities[0].attributes.map(\.line) == [6, 6, 6, 6, 6])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil))
  func `the inferred map of a sample feed that is read again changes nothing`() throws {
    let folder = (ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? "") + "/feeds"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for name in names {
      let path = "\(folder)/\(name)"
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size < 2_000_000, let workload = try? Workload(argument: path) else { continue }
      var options = WorkloadOptions(workload: workload, rows: nil, existingRows: 0, batchSize: 500, mix: .insertsOnly)
      let plain = try MappedFeed(options: options, path: path)
      let text = FeedMapText(plain.mapping, feed: name, model: nil).text
      options.map = try FeedMapFile.map(from: text, place: "map.yaml")
      let mapped = try MappedFeed(options: options, path: path)
      #expect(mapped.mapping == plain.mapping, "\(name)")
      #expect(mapped.schema == plain.schema, "\(name)")
    }
  }
}
