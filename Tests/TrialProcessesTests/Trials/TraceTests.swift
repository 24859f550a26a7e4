import Foundation
import Harness
import MachineCore
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

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
    let rules = try #require(try TracedTrial.shared(topology, lanes: lanes).rules)
    #expect(rules.complaints == [])
    #expect(rules.slices.values.joined().count > 100)
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
    #expect(Set(pending.compactMap { $0.number("main") }).count > 2)
    #expect(Set(pending.compactMap { $0.number("root") }).count > 2)
    // All changes have been saved in the end, and the number of unsaved changes is never negative.
    for values in [pending.compactMap { $0.number("main") }, pending.compactMap { $0.number("root") }] {
      #expect(values.last == 0 && values.allSatisfy { $0 >= 0 })
    }
    let heap = counters.filter { $0.name == "heap" }.compactMap { $0.number("bytes") }
    #expect(Set(heap).count > 10 && heap.allSatisfy { $0 >= 0 })
  }

  @Test(arguments: titles)
  func `every frame of the window has its slices`(_ topology: String) throws {
    let trial = try TracedTrial.shared(topology)
    let events = try trial.events()
    let start = try window(events).lowerBound
    let slots = events.filter { $0.tid == TraceTracks.expectedFrames && $0.ph == "X" }.map(\.start)
    var actual: [Int: TraceRules.Event] = [:]
    for event in events where event.tid == TraceTracks.actualFrames { actual[event.number("tick") ?? -1] = event }
    #expect(!trial.record.frames.isEmpty)
    for row in trial.record.frames {
      #expect(slots.contains(row.due.nanoseconds + start))
      let frame = actual[row.tick]
      #expect((frame == nil) == (row.frame == nil))
      guard let frame, let expected = row.frame else { continue }
      #expect(frame.start == expected.start.nanoseconds + start)
      #expect(frame.duration == (expected.end - expected.start).nanoseconds)
      #expect(frame.args?["late"] == .flag(expected.missedCount > 0))
    }
  }

  @Test(arguments: titles)
  func `the slices of the main queue add up to its busy time`(_ topology: String) throws {
    let trial = try TracedTrial.shared(topology)
    let events = try trial.events()
    let window = try window(events)
    let main = try #require(events.first { $0.name == "thread_name" && $0.args?["name"] == .text("main") }?.tid)
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
    let tracks = Set(
      events.filter { $0.name == "thread_name" }.compactMap { event in
        if case .text(let name)? = event.args?["name"] { name } else { nil }
      })
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

  @Test func `a live trace follows the rules and has flows, counters and tracks`() throws {
    var options = RunOptions()
    options.warmup = 0
    options.saveEvery = 50
    options.userEditInterval = .milliseconds(40)
    let bench = try TrialBench(
      WorkloadOptions(workload: .catalog, rows: 300, existingRows: 100, batchSize: 100, mix: .standard), options)
    let folder = try TemporaryFolder()
    for (topology, flowCount) in [(Topology.workerMerge(.notification), 3), (.threeTier, 0)] {
      let path = "\(folder.path)/\(topology.id).part"
      #expect(try bench.runLive(topology, trace: path).measures.verified == 1)
      let rules = try TraceRules(events: String(contentsOfFile: path, encoding: .utf8))
      #expect(rules.complaints == [])
      #expect(rules.events.count { $0.ph == "f" } >= flowCount)
      let names = Set(rules.events.compactMap(\.name))
      #expect(
        names.isSuperset(of: ["block", "import", "save", "COMMIT", "pending changes", "payload 0 is visible", "tick 3"])
      )
      let tracks = rules.events.filter { $0.name == "thread_name" }.compactMap { $0.args?["name"] }
      for track in ["main", "worker", "network 0", "display", "store writer", "actual frames"] {
        #expect(tracks.contains(.text(track)), "\(track)")
      }
    }
  }

  private func window(_ events: [TraceRules.Event]) throws -> Range<Int64> {
    let start = try #require(events.first { $0.name == "window begins" }?.start)
    let end = try #require(events.first { $0.name == "window ends" }?.start)
    return start..<end
  }
}
