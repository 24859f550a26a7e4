import Foundation
import TestSupport
import Testing

/// Tests of the commands that texts of the program print, in the folder in which they were printed.
@Suite(.serialized) struct PrintedCommandTests {
  private static let model = """
    <model>
      <entity name="Album">
        <attribute name="albumID" attributeType="Integer 64"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song" inverseName="album" \
    inverseEntity="Song"/>
      </entity>
      <entity name="Song">
        <attribute name="songID" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="songs" \
    inverseEntity="Album"/>
      </entity>
    </model>
    """
  private static let feed = """
    [{"id": 1, "title": "A", "songs": [{"id": 11, "name": "a"}, {"id": 12, "name": "b"}]}, \
    {"id": 2, "title": "B", "songs": [{"id": 21, "name": "c"}]}]
    """
  private static let stacks = "--topology all-main --topology worker-merge"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/Music.xcdatamodel", withIntermediateDirectories: true)
    try folder.write(Self.model, to: "Music.xcdatamodel/contents")
    try folder.write(Self.feed, to: "music feed.json")
  }

  /// Runs a command and returns those that it prints: the ends of lines, from the name of the program on.
  private func printed(by command: String) async throws -> [String] {
    let words = try #require(command.firstMatch(of: /^stackbench (.*)$/)).1
    let outcome = try await Program.shell(String(words), in: folder.path)
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    return outcome.output.matches(of: #/(?m)(?:^ *|: +)(stackbench [a-z]+\b.*)$/#).map { String($0.1) }
  }

  @Test(
    arguments: [
      ["stackbench init --force", "stackbench run --machine simulated --draws 2 \(stacks) --name first"],
      ["stackbench run --rows 300 --existing-rows 60 --trials 1 \(stacks)"],
      ["stackbench sweep --vary batch-size=1,2 --draws 2 \(stacks) --workload 'music feed.json'"],
      [
        "stackbench init",
        "stackbench advise --verbose --no-settings-file --rows 90 --existing-rows 30 --draws 0 \(stacks)",
      ],
      ["stackbench init", "stackbench advise --draws 2 \(stacks)"],
      ["stackbench init", "stackbench claims private-root-frees-main eight-lines modal-dialog-protects"],
    ])
  func `each printed command works in the folder where it was printed`(commands: [String]) async throws {
    var next = commands
    var done: Set<String> = []
    while let command = next.first {
      next.removeFirst()
      guard done.insert(command).inserted else { continue }
      next += try await printed(by: command)
    }
    #expect(done.count > commands.count)
  }

  @Test func `the commands of a claim leave the settings of the folder aside`() async throws {
    let claim = "stackbench claims private-root-frees-main"
    #expect(try await printed(by: claim).allSatisfy { !$0.contains("--no-settings-file") })
    _ = try await printed(by: "stackbench init")
    let commands = try await printed(by: claim)
    #expect(!commands.isEmpty && commands.allSatisfy { $0.hasSuffix(" --no-settings-file") })
  }
}
