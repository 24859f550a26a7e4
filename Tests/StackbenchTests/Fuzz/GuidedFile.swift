/// A file that a coverage-guided fuzzer changes, and the reader that reads it among valid files.
struct GuidedFile: Codable, Hashable, Sendable {
  /// The name of the file's corpus.
  let name: String
  let reader: FuzzInput.Reader
  /// The path of the file in the folder of an input, or nil for command lines, which are in no file.
  let path: String?

  private init(_ path: String?, _ reader: FuzzInput.Reader, name: String? = nil) {
    self.name = name ?? path?.split(separator: "/").last.map(String.init) ?? "\(reader)"
    self.reader = reader
    self.path = path
  }

  static let all = [
    GuidedFile("feed.json", .feed), GuidedFile("feed.jsonl", .feed), GuidedFile("feed.geojson", .feed),
    GuidedFile("App.xcdatamodel/contents", .model, name: "model.xml"), GuidedFile("topology.yaml", .topology),
    GuidedFile("profile.yaml", .profile), GuidedFile("map.yaml", .map), GuidedFile("stackbench.yaml", .settings),
    GuidedFile("baseline/gate.yaml", .gatePlan), GuidedFile("claims.yaml", .claims),
    GuidedFile("table.yaml", .publishedTable), GuidedFile("measurements.csv", .measurements),
    GuidedFile("run/manifest.json", .run), GuidedFile("run/trials.csv", .run), GuidedFile("run/summary.csv", .report),
    GuidedFile("run/draws.csv", .report), GuidedFile("run/frames.csv", .report), GuidedFile("run/stalls.csv", .report),
    GuidedFile("baseline/saves/floors.csv", .gate),
    GuidedFile("killed/killed.csv", .killed), GuidedFile("answer/comparison.json", .answer),
    GuidedFile("sweep/plan.jsonl", .plan), GuidedFile("sweep/trial-000001.json", .sweep, name: "trial.json"),
    GuidedFile("store.sqlite", .store), GuidedFile("predicate.txt", .predicate),
    GuidedFile(nil, .flags, name: "command-line"),
  ]
}
