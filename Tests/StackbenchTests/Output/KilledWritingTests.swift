import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Tests with runs that are killed while they write their result, before each call that creates, renames or removes a
/// name in a folder.
@Suite(.serialized) struct KilledWritingTests {
  private let folder: TemporaryFolder

  private static let hasCompiler = ["/usr/bin/cc", "/usr/local/bin/cc"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let files = ["frames.csv", "manifest.json", "stalls.csv", "summary.csv", "trials.csv"]

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ seed: Int, _ flags: [String], killedAt call: Int? = nil) async throws -> Program.Outcome {
    var environment = Environment.inherit
    if let call {
      environment = environment.updating([
        "LD_PRELOAD": FilePath("\(folder.path)/kill.so").string, "KILL_AT": "\(call)",
      ])
    }
    return try await Program.run(
      [
        "run", "--machine", "simulated", "--draws", "0", "--rows", "10", "--existing-rows", "0", "--quiet",
        "--topology", "all-main", "--seed", "\(seed)", "--output", "\(folder.path)/in/results",
      ] + flags,
      environment: environment)
  }

  /// Returns the seed of a complete result, and records an error if the files belong to different runs.
  private func seed(of name: String) throws -> Int {
    let path = "\(folder.path)/\(name)"
    let manifest = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: "\(path)/manifest.json")))
    let seed = try #require((manifest as? [String: Any])?["seed"] as? Int)
    for table in ["trials.csv", "summary.csv"] {
      let lines = try String(contentsOfFile: "\(path)/\(table)", encoding: .utf8).components(separatedBy: "\r\n")
      let column = try #require(lines[0].components(separatedBy: ",").firstIndex(of: "seed"))
      #expect(lines[1].components(separatedBy: ",")[column] == "\(seed)", "\(table)")
    }
    #expect(Set(folder.contents(of: name) ?? []).isSuperset(of: Self.files))
    return seed
  }

  /// Returns the names of all files that a killed run has left, with each number replaced by 0. The contents of private
  /// folders are left out, since they are removed together with their folder.
  private func namesLeft() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/in")
      .filter { !$0.contains(#/\.stackbench-[0-9-]+\//#) }
      .map { $0.replacing(#/[0-9]+/#, with: "0") }.sorted()
  }

  @Test(.enabled(if: hasCompiler, "there is no C compiler"), arguments: [[], ["--replace"]])
  func `a killed write leaves one complete result, and the next run removes leftovers`(flags: [String]) async throws {
    let library = Repository.root.appendingPathComponent("Tests/StackbenchTests/Output/KillBeforeRename.c").path
    let compiled = try await Program.run(
      .name("cc"), ["-shared", "-fPIC", "-o", "\(folder.path)/kill.so", library, "-ldl"])
    #expect(compiled.status == 0, "\(compiled.errors)")
    #expect(try await run(1, flags).status == 0)
    _ = try folder.write("own", to: "in/results/notes")
    let (inside, before) = (URL(fileURLWithPath: "\(folder.path)/in"), URL(fileURLWithPath: "\(folder.path)/before"))
    try FileManager.default.copyItem(at: inside, to: before)
    // The next run depends only on the names of the files that are left. It runs once for each set of names.
    var known: Set<[String]> = []
    var call = 0
    while true {
      call += 1
      let killed = try await run(2, flags, killedAt: call)
      if killed.status == 0 { break }
      #expect(killed.status == -9, "call \(call): \(killed.errors)")
      let found = try seed(of: "in/results")
      #expect([1, 2].contains(found), "call \(call)")
      defer {
        try? FileManager.default.removeItem(at: inside)
        try? FileManager.default.copyItem(at: before, to: inside)
      }
      guard known.insert(try namesLeft() + ["\(found)"]).inserted else { continue }
      #expect(try await run(3, flags).status == 0)
      #expect(try seed(of: "in/results") == 3)
      #expect(folder.contents(of: "in/results") == (Self.files + ["notes"]).sorted(), "call \(call)")
      let kept = (folder.contents(of: "in") ?? []).filter { $0 != "results" }
      let seeds = try kept.map { try seed(of: "in/\($0)") }.sorted()
      // A result that the killed run was about to remove is kept, since the next run cannot see that intention.
      let expected = flags.isEmpty ? [Array(1...found)] : found == 1 ? [[]] : [[], [1]]
      #expect(expected.contains(seeds), "call \(call): \(kept)")
    }
    // A replacement needs at least this many calls.
    #expect(call > 12 && known.count > 8)
  }
}
