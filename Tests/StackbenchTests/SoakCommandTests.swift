import Experiments
import Foundation
import Metrics
import TestSupport
import Testing
import Topologies

@testable import TrialProcesses

/// The command that runs stacks without pause, and the leaks that it must find.
@Suite struct SoakCommandTests {
  private struct Answer: Decodable {
    struct Subject: Decodable {
      var name: String
      var rounds_count: Int
      var problems: [String]
      var resources: [Resource]
    }

    struct Resource: Decodable {
      var name: String
      var level: Double
    }

    var subjects: [Subject]
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Soaks a stack in a process for 40 rounds, in each of which a resource leaks.
  private func samples(planting planted: SoakedResource) async throws -> [SoakSample] {
    let scratch = try ScratchFolder(in: folder.path)
    defer { scratch.remove() }
    let children = Children(scratch: scratch, workers: Workers(executable: Program.path))
    // The log reaches its size in the first ten rounds, which do not count.
    let soak = try Soak(
      rows: 240, lanes: 2, limit: .rounds(40), timeLimit: nil, children: children, progress: NoProgressDisplay())
    let task = soak.task(.workerMerge(.notification), in: try scratch.makeFolder("stores"), planting: planted)
    let answer = try await children.answer(of: SoakTask.self, to: task, timeLimit: nil)
    #expect(answer.problems == [])
    return answer.samples
  }

  @Test(arguments: SoakedResource.allCases)
  func `a planted leak is found`(planted: SoakedResource) async throws {
    let samples = try await samples(planting: planted)
    #expect(samples.count == 40)
    let growing = try SoakedResource.allCases.filter { try #require(SoakTrend(of: $0, in: samples)).isGrowing }
    #expect(growing.contains(planted), "\(samples.map(planted.amount))")
    // The numbers of bytes and threads vary with the times at which Dispatch starts threads.
    for other in [SoakedResource.log, .descriptors, .registeredObjects] where other != planted {
      #expect(!growing.contains(other), "\(other): \(samples.map(other.amount))")
    }
  }

  @Test func `every stack keeps its data and its descriptors in some rounds`() async throws {
    let outcome = try await Program.run([
      "soak", "all+", "--rounds", "12", "--rows", "40", "--output", folder.path, "--format", "json",
    ])
    let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    #expect(answer.subjects.map(\.name) == (Topology.all + Topology.relatives).map(\.title))
    for subject in answer.subjects {
      #expect(subject.problems == [] && subject.rounds_count == 12)
      #expect(subject.resources.map(\.name) == SoakedResource.allCases.map(\.rawValue))
      // A log that is missing or contexts that are not counted would be flat, too.
      #expect(subject.resources.allSatisfy { $0.level > 0 }, "\(subject)")
    }
    let lines = try String(contentsOfFile: "\(folder.path)/samples.csv", encoding: .utf8).split(separator: "\r\n")
    #expect(lines.count == 1 + 12 * answer.subjects.count)
    #expect(lines[0].hasPrefix("topology,variant,round,elapsed_ns,heap_bytes,"))
  }

  @Test(arguments: [
    (["--rounds", "20", "--minutes", "1"], "--rounds 20: contradicts --minutes 1"),
    (["--rounds", "11"], "--rounds 11: out of range; use 12 to 1000000"),
    (["--rows", "3", "--lanes", "4"], "--rows 3: fewer than one for each of 4 imports; use 4 or more"),
    (["nothing"], "nothing: not a stack"), (["all-main", "--minutes", "0"], "--minutes 0: out of range"),
  ])
  func `bad usage is refused`(arguments: [String], message: String) async throws {
    let outcome = try await Program.run(["soak", "--output", folder.path] + arguments)
    #expect(outcome.status == 64 && outcome.errors.contains { $0.contains(message) }, "\(outcome.errors)")
  }
}
