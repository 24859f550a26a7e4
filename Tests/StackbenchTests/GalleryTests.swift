import Foundation
import TestSupport
import Testing

/// The gallery of a folder with samples, which a script makes with the program.
@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "install python3"))
struct GalleryTests {
  private static let model = """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item"><attribute name="id" attributeType="Integer 64"/>
        <attribute name="label" optional="YES" attributeType="String"/></entity>
    </model>
    """

  private func gallery(_ samples: String, _ out: String) async throws -> Program.Outcome {
    let script = Repository.root.appendingPathComponent(".ci/gallery").path
    return try await Program.run(.path("/usr/bin/python3"), [script, Program.path, samples, out, "20"])
  }

  @Test func `each feed and model of a folder has a run on the page, and a damaged one its message`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let samples = "\(folder.path)/samples"
    let bundle = "\(samples)/Shop.xcdatamodel"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try folder.write(Self.model, to: "samples/Shop.xcdatamodel/contents")
    try folder.write(#"[{"id":1,"label":"a"},{"id":2,"label":"b"}]"#, to: "samples/items.json")
    try folder.write(#"{"id":1,"parent_id":1,"o":{"n":2}}"#, to: "samples/tree.jsonl")
    let good = try await gallery(samples, "\(folder.path)/good")
    #expect(good.status == 0, "\(good.errors)")
    let page = try String(contentsOfFile: "\(folder.path)/good/index.html", encoding: .utf8)
    #expect(page.contains("items.json") && page.contains("tree.jsonl") && page.contains("Shop"))
    try folder.write("[{", to: "samples/damaged.json")
    let bad = try await gallery(samples, "\(folder.path)/bad")
    #expect(bad.status == 1, "\(bad.errors)")
    let other = try String(contentsOfFile: "\(folder.path)/bad/index.html", encoding: .utf8)
    #expect(other.contains("damaged.json:1: not JSON"))
  }

  @Test func `a folder without samples is refused in one line`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let outcome = try await gallery(folder.path, "\(folder.path)/out")
    #expect(outcome.status == 64 && outcome.errors.count == 1, "\(outcome.errors)")
  }
}
