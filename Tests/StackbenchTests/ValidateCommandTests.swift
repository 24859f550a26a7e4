import Foundation
import MachineSimulated
import Metrics
import Testing
import Topologies

@testable import stackbench

/// What `validate` makes of its flags, and small runs of it through the program.
@Suite(.serialized) struct ValidateCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: Flags

  @Test func `both machines run the same workloads with the same options`() throws {
    let validation = try Validation(ValidationFlags.parse([]))
    #expect(validation.workloads.map(\.name) == ["inserts", "upserts", "relationships", "scrolling"])
    for (live, simulated) in zip(validation.live, validation.simulated) {
      #expect(live.machine == .live && simulated.machine == .simulated)
      #expect(live.workload == simulated.workload)
      #expect(live.topologies == simulated.topologies && live.topologies == Topology.all)
      var options = live.options
      options.warmup = simulated.options.warmup
      #expect(options == simulated.options)
      #expect(live.trials == 5)
    }
    let edits = validation.live.map { $0.options.userEditInterval > .zero && $0.options.scrollSpeed > 0 }
    #expect(edits == [false, false, false, true])
  }

  @Test func `the live machine runs the store as the profile says`() throws {
    let validation = try Validation(ValidationFlags.parse(["--profile", "ipad-mini-ios-6"]))
    #expect(validation.live.allSatisfy { $0.options.connectionPool == 1 && $0.options.journalMode == "delete" })
  }

  @Test(arguments: [
    (["--published", "core-data"], "--published core-data: not known; use one of kugler-2013, anchor-iphone-6"),
    (["--rows", "3"], "--rows 3: out of range; use 50 to 1000000"),
    (["--format", "csv"], "--format csv: not known; use one of text, json"),
    (["--fit"], "--fit: concerns published tables only; add --published kugler-2013"),
    (
      ["--published", "kugler-2013", "--trials", "2"],
      "--trials: concerns live runs; leave it out beside --published kugler-2013"
    ),
    (["--published", "kugler-2013", "--fit"], "--fit: not available; leave it out"),
  ])
  func `flags that cannot be used are refused with what would be right`(_ arguments: [String], _ expected: String) {
    let error = #expect(throws: (any Error).self) {
      guard let command = try Stackbench.parseAsRoot(["validate"] + arguments) as? ValidateCommand else { return }
      if let table = command.flags.published.flatMap(PublishedTable.init(rawValue:)) {
        _ = try PublishedValidation(table, command.flags)
      } else {
        _ = try Validation(command.flags)
      }
    }
    #expect((error as? CommandFailure ?? error.map(CommandLineRun.failure))?.message == expected)
  }

  // MARK: Runs

  @Test func `a small validation compares every cell and leaves its table and nothing else`() async throws {
    let outcome = try await Program.run([
      "validate", "--rows", "60", "--trials", "1", "--output", "\(folder.path)/out", "--format", "json", "--by-cause",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(folder.contents(of: "out")?.sorted() == ["causes.csv", "validation.csv"])
    let report = try JSONDecoder().decode(ValidationReport.self, from: Data(outcome.output.utf8))
    #expect(report.cells.count == 24)
    for cell in report.cells {
      #expect(
        cell.figures.map(\.measure) == ["import_ns", "main_busy_ns", "main_cpu_ns", "main_wait_ns", "stall_ns_p99"])
      #expect(cell.figures.allSatisfy { $0.runCount == 1 && $0.liveMedianNanoseconds >= 0 })
      #expect(try #require(cell.figure(.importTime)).predictedNanoseconds > 0)
    }
    #expect(report.explanations.count == 5)
    #expect(report.explanations.allSatisfy { !$0.work.isEmpty })
    // Fifteen causes of each cell, and of each stack over all workloads.
    #expect(report.causes?.count == 15 * (24 + 6))
  }

  @Test func `a published table has no live runs to compare cause by cause`() async throws {
    let outcome = try await Program.run(["validate", "--published", "kugler-2013", "--by-cause"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == ["error: --by-cause: concerns live runs; leave it out beside --published kugler-2013"])
  }

  @Test func `published rows come as JSON, and an order that fails is status 1 in either format`() async throws {
    let arguments = ["validate", "--published", "kugler-2013", "--rows", "100", "--scratch", folder.path]
    let json = try await Program.run(arguments + ["--format", "json"])
    let comparison = try JSONDecoder().decode(PublishedComparison.self, from: Data(json.output.utf8))
    #expect(comparison.rows.map(\.role.rawValue) == ["predicted", "predicted", "fitted", "predicted", "fitted"])
    #expect(comparison.rows.allSatisfy { $0.totalNanoseconds > 0 && $0.mainCPUNanoseconds > 0 })
    #expect(comparison.orders.count == 9)
    // Of a hundred objects no article speaks: its orders do not come out.
    #expect(!comparison.passed)
    #expect(json.status == 1)
    let text = try await Program.run(arguments)
    #expect(text.status == 1)
    #expect(text.output.contains("orders do not come out"))
    #expect(json.errors.isEmpty && text.errors.isEmpty)
    #expect(folder.contents(of: "")?.isEmpty == true)
  }

  @Test func `the anchor's phases are run, and a fit is refused`() async throws {
    let arguments = ["validate", "--published", "anchor-iphone-6", "--rows", "200", "--scratch", folder.path]
    let json = try await Program.run(arguments + ["--format", "json"])
    #expect(json.status == 0, "\(json.errors)")
    let comparison = try JSONDecoder().decode(AnchorComparison.self, from: Data(json.output.utf8))
    #expect(comparison.rows.map(\.phase) == [.inserts, .fetches])
    #expect(comparison.rows.allSatisfy { $0.cpuNanoseconds >= $0.mainCPUNanoseconds && $0.mainCPUNanoseconds > 0 })
    let fitted = try await Program.run(arguments + ["--fit"])
    #expect(fitted.status == 64)
    #expect(fitted.errors == ["error: --fit: not available; leave it out"])
  }
}
