import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Tests of the command in the manifest, as a user types it into a shell.
@Suite(.serialized) struct ReplayTests {
  private let folder: TemporaryFolder
  private let simulator: Simulator

  init() throws {
    folder = try TemporaryFolder()
    simulator = Simulator(folder: folder)
  }

  @Test func `a replayed command gives the same fingerprint and files`() async throws {
    try await expectSameFromReplay(
      of: Simulator.small + [
        "--topology", "worker-merge", "--merge", "reset", "--topology", "three-tier", "--schedule-seed", "0", "--draws",
        "2", "--trials", "2",
      ])
  }

  @Test func `a replayed command quotes names of feeds and profiles for the shell`() async throws {
    let name = "it's a $HOME; \"feed\" & *.jsonl"
    let feed = try folder.write(
      (1...40).map { #"{"id":\#($0),"name":"record \#($0)"}"# }.joined(separator: "\n"), to: name)
    let profile = try folder.write(
      try Repository.text("Tests/StackbenchTests/Goldens/phone.yaml"), to: "my phone (old).yaml")
    try await expectSameFromReplay(of: [
      "run", "--machine", "simulated", "--draws", "0", "--workload", feed, "--profile", profile, "--topology",
      "child-of-main",
      "--quiet",
    ])
  }

  private func expectSameFromReplay(
    of arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let first = try await simulator.results(of: arguments, sourceLocation: sourceLocation)
    #expect(first.replay.hasPrefix("stackbench run "), sourceLocation: sourceLocation)
    let output = "\(folder.path)/replayed"
    let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", "\(first.replay) --output '\(output)'"],
      environment: .inherit.updating(["PATH": "\(programs):\(path)"]))
    #expect(outcome.status == 0, "\(first.replay): \(outcome.errors)", sourceLocation: sourceLocation)
    #expect(try SimulatedResults(in: output) == first, "\(first.replay)", sourceLocation: sourceLocation)
  }
}
