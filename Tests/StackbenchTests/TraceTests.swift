import Foundation
import MachineCore
import Metrics
import TestSupport
import Testing
import Topologies
import Tracing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests that the trace of a simulated trial follows the rules of the format and agrees with the trial's figures.
@Suite struct TraceTests {
  private static let titles = Topology.knownInOneProcess.map(\.title)

  @Test(arguments: titles)
  func `a traced trial has the same record as an untraced one`(_ topology: String) throws {
    let traced = try TracedTrial.shared(topology)
    let plain = try TracedTrial(topology, isTraced: false)
    #expect(plain.record == traced.record)
    #expect(traced.record.measures.verified == 1)
  }

  @Test(arguments: ["three-tier", "worker-merge"])
  func `a trace has the same bytes each time`(_ topology: String) throws {
    let first = try TracedTrial.shared(topology)
    let second = try TracedTrial(topology)
    #expect(!first.text.isEmpty && first.text == second.text)
  }

  @Test(arguments: titles.map { ($0, 1) } + [("worker-merge", 3), ("three-tier", 3)])
  func `a trace follows the rules of the format`(_ topology: String, lanes: Int) throws {
    let text = try TracedTrial.shared(topology, lanes: lanes).text
    let rules = try TraceRules(file: "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n\(text)\n]}")
    #expect(rules.complaints == [])
    #expect(rules.events.count > 100)
  }

  @Test(arguments: titles)
  func `each merge ends a flow that begins in its save`(_ topology: String) throws {
    let events = try TracedTrial.shared(topology).events()
    let starts = events.filter { $0.ph == "s" }
    let ends = events.filter { $0.ph == "f" }
    let merges = events.filter { $0.name == "merge" && ["B", "X"].contains($0.ph) }
    let merging = ["worker-merge", "worker-merge/automatic", "reversed-parent", "reversed-parent/child"]
    // Stacks that merge do so throughout the trial. The others may not merge at all.
    if merging.contains(where: { topology == $0 || topology == "\($0)/notification" || topology == "\($0)/root" }) {
      #expect(merges.count > 3)
    }
    #expect(starts.map(\.id) == ends.map(\.id))
    #expect(Set(starts.map(\.id)).count == starts.count)
    // A merge of history belongs to no save of its coordinator.
    let mergesHistory = Topology.named(topology)?.otherCoordinators.isEmpty == false
    #expect(ends.count == (mergesHistory ? 0 : merges.count))
    for (start, end) in zip(starts, ends) {
      #expect(start.start <= end.start)
      #expect(merges.contains { $0.tid == end.tid && $0.start == end.start })
    }
  }

  @Test func `the heap and the unsaved changes are counters`() throws {
    let trial = try TracedTrial.shared("three-tier")
    let counters = try trial.events().filter { $0.ph == "C" }
    let pending = counters.filter { $0.name == "pending changes" }
    #expect(Set(pending.compactMap { $0.args?.main }).count > 2)
    #expect(Set(pending.compactMap { $0.args?.root }).count > 2)
    // All changes have been saved in the end, and the number of unsaved changes is never negative.
    for values in [pending.compactMap { $0.args?.main }, pending.compactMap { $0.args?.root }] {
      #expect(values.last == 0 && values.allSatisfy { $0 >= 0 })
    }
    let heap = counters.filter { $0.name == "heap" }.compactMap { $0.args?.bytes }
    #expect(Set(heap).count > 10 && heap.allSatisfy { $0 >= 0 })
  }

  @Test(arguments: titles.map { ($0, 1) } + [("worker-merge", 3), ("three-tier", 3)])
  func `slices nest on their tracks, and every track has a name`(_ topology: String, lanes: Int) throws {
    let events = try TracedTrial.shared(topology, lanes: lanes).events()
    var open: [Int: [Int64]] = [:]
    var last: [Int: Int64] = [:]
    let named = Set(events.filter { $0.ph == "M" && $0.name == "thread_name" }.map(\.tid))
    var sliceCount = 0
    for event in events where !["M", "C", "s", "f"].contains(event.ph) {
      #expect(event.pid == 1 && event.ts != nil && named.contains(event.tid))
      // The slices of a track are in the order of time, and each begins after the end of the one before.
      if ["B", "E", "X"].contains(event.ph) {
        #expect(event.start >= last[event.tid] ?? 0, "\(event)")
        last[event.tid] = event.start + event.duration
      }
      switch event.ph {
      case "B":
        open[event.tid, default: []].append(event.start)
        #expect(event.name?.isEmpty == false)
      case "E":
        let begin = open[event.tid]?.popLast()
        #expect(begin.map { $0 <= event.start } == true, "an end without a beginning: \(event)")
      case "X":
        sliceCount += 1
        #expect(event.dur != nil && event.duration >= 0 && event.name?.isEmpty == false)
      default: #expect(event.ph == "i" && event.name?.isEmpty == false)
      }
    }
    #expect(open.values.allSatisfy { $0.isEmpty })
    #expect(sliceCount > 100)
  }

  @Test(arguments: titles)
  func `every frame of the window has its slices`(_ topology: String) throws {
    let trial = try TracedTrial.shared(topology)
    let events = try trial.events()
    let start = try window(events).lowerBound
    let slots = events.filter { $0.tid == TraceTracks.expectedFrames && $0.ph == "X" }.map(\.start)
    var actual: [Int: TracedTrial.Event] = [:]
    for event in events where event.tid == TraceTracks.actualFrames { actual[event.args?.tick ?? -1] = event }
    #expect(!trial.record.frames.isEmpty)
    for row in trial.record.frames {
      #expect(slots.contains(row.due.nanoseconds + start))
      let frame = actual[row.tick]
      #expect((frame == nil) == (row.frame == nil))
      guard let frame, let expected = row.frame else { continue }
      #expect(frame.start == expected.start.nanoseconds + start)
      #expect(frame.duration == (expected.end - expected.start).nanoseconds)
      #expect(frame.args?.late == (expected.missedCount > 0))
    }
  }

  @Test(arguments: titles)
  func `the slices of the main queue add up to its busy time`(_ topology: String) throws {
    let trial = try TracedTrial.shared(topology)
    let events = try trial.events()
    let window = try window(events)
    let main = try #require(events.first { $0.name == "thread_name" && $0.args?.name == "main" }?.tid)
    var depth = 0
    var begin: Int64 = 0
    var sum: Int64 = 0
    func add(_ start: Int64, _ end: Int64) {
      sum += max(0, min(end, window.upperBound) - max(start, window.lowerBound))
    }
    for event in events where event.tid == main {
      switch event.ph {
      case "B":
        if depth == 0 { begin = event.start }
        depth += 1
      case "E":
        depth -= 1
        if depth == 0 { add(begin, event.start) }
      case "X": if depth == 0 { add(event.start, event.start + event.duration) }
      default: break
      }
    }
    let measures = trial.record.measures
    #expect(sum > 0)
    #expect(sum == (measures.mainBusyNanoseconds ?? 0) + (measures.frameBusyNanoseconds ?? 0))
  }

  @Test func `queues, cores, connections, payloads and edits have tracks`() throws {
    let events = try TracedTrial.shared("three-tier").events()
    let tracks = Set(events.filter { $0.name == "thread_name" }.compactMap { $0.args?.name })
    #expect(
      tracks.isSuperset(of: [
        "payloads", "edits", "expected frames", "actual frames", "main", "root", "worker", "network 0", "core 0",
      ]))
    #expect(tracks.contains { $0.hasPrefix("store") })
    let names = Set(events.compactMap(\.name))
    #expect(
      names.isSuperset(of: [
        "payload 0 arrives", "payload 0 is durable", "payload 0 is visible", "edit 0 is acknowledged", "COMMIT",
        "waits for main", "push", "save", "storage",
      ]))
  }

  private func window(_ events: [TracedTrial.Event]) throws -> Range<Int64> {
    let start = try #require(events.first { $0.name == "window begins" }?.start)
    let end = try #require(events.first { $0.name == "window ends" }?.start)
    return start..<end
  }
}

/// Tests of `--trace` on the command line.
@Suite(.serialized) struct TraceFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private struct File: Decodable {
    var traceEvents: [TracedTrial.Event]
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(
      [
        "run", "--output", "\(folder.path)/results", "--machine", "simulated", "--draws", "0", "--rows", "100",
        "--existing-rows", "50",
        "--quiet",
      ] + arguments)
  }

  @Test func `each topology is a process of one file, which an untraced run removes`() async throws {
    let traced = try await run("--trace", "--trials", "2", "--topology", "all-main", "--topology", "three-tier")
    #expect(traced.status == 0, "\(traced.errors)")
    let path = "\(folder.path)/results/trace.json"
    let events = try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path))).traceEvents
    let processes = events.filter { $0.name == "process_name" }.compactMap { $0.args?.name }
    #expect(processes == ["all-main", "three-tier"])
    #expect(Set(events.map(\.pid)).count == 2)
    let plain = try await run("--topology", "all-main")
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(folder.contents(of: "results")?.contains("trace.json") == false)
  }

  @Test func `a live trace follows the rules and has flows, counters and tracks`() async throws {
    let outcome = try await Program.run([
      "run", "--output", "\(folder.path)/results", "--trace", "--rows", "300", "--existing-rows", "100", "--batch-size",
      "100", "--save-every", "50", "--trials", "2", "--warmup", "0", "--idle-seconds", "0", "--user-edit-interval",
      "40",
      "--topology", "worker-merge", "--topology", "three-tier", "--quiet",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(contentsOfFile: "\(folder.path)/results/trace.json", encoding: .utf8)
    let rules = try TraceRules(file: text)
    #expect(rules.complaints == [])
    for (process, flowCount) in zip(Set(rules.events.map(\.pid)).sorted(), [3, 0]) {
      let own = rules.events.filter { $0.pid == process }
      #expect(own.count { $0.ph == "f" } >= flowCount)
      let names = Set(own.compactMap(\.name))
      #expect(
        names.isSuperset(of: ["block", "import", "save", "COMMIT", "pending changes", "payload 0 is visible", "tick 3"])
      )
      let tracks = own.filter { $0.name == "thread_name" }.compactMap { $0.args?["name"] }
      for track in ["main", "worker", "network 0", "display", "store writer", "actual frames"] {
        #expect(tracks.contains(.text(track)), "\(track)")
      }
    }
  }
}
