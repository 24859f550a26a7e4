import Foundation
import Harness
import TestSupport
import Testing
import TrialProcesses
import Workloads

/// Runs that cannot be prepared.
@Suite struct PrepareTaskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the message of a refusal, in which options are called by their names.
  private func refusal(
    _ workload: Workload, rows: Int? = nil, model: String? = nil, _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> String? {
    var options = RunOptions()
    change(&options)
    var shape = WorkloadOptions(workload: workload, rows: rows, existingRows: 0, batchSize: 10, mix: .insertsOnly)
    shape.model = model
    let archive = folder.url.appendingPathComponent("archive")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: false)
    do {
      _ = try PrepareTask.prepare(
        PrepareTask.Plan(
          workload: shape, isBatchSizeStandard: true, isSaveEveryStandard: false, options: options,
          archive: archive.path, baseStore: "\(folder.path)/base.sqlite"))
      return nil
    } catch let failure as RunFailure {
      #expect(failure.kind == .badUsage)
      return failure.text { "the option \($0)" }
    } catch let error as WorkloadError {
      return error.message
    }
  }

  @Test func `a unit larger than the batch of a small feed is refused`() throws {
    let feed = try folder.write(#"[{"id":1},{"id":2}]"#, to: "two.json")
    #expect(
      try refusal(.feed(path: feed)) { $0.saveEvery = 3 }
        == "the option saveEvery 3: over the batch size of 2; use 1 to 2, or a larger the option batchSize")
  }

  @Test func `more rows than the keys of a feed allow are refused`() throws {
    let feed = try folder.write(#"[{"id":9223372036854775807},{"id":1}]"#, to: "two.json")
    let message = try refusal(.feed(path: feed), rows: 3)
    #expect(message?.hasSuffix("id has no more numbers; use fewer rows") == true, "\(message ?? "")")
  }

  @Test func `a property that no entity has is refused`() throws {
    let message = try refusal(.catalog, rows: 10) {
      $0.saveEvery = 10
      $0.propertiesToFetch = ["name", "colour"]
    }
    #expect(message?.hasPrefix("the option propertiesToFetch colour: no entity has it; use some of ") == true)
  }

  @Test func `batch inserts of a feed with nested objects are refused`() throws {
    let feed = try folder.write(#"[{"id":1,"home":{"city":"a"}}]"#, to: "linked.json")
    let message = try refusal(.feed(path: feed)) {
      $0.saveEvery = 1
      $0.strategy = .batchInsert
    }
    #expect(message?.hasPrefix("batch inserts cannot set relationships such as Record.home; ") == true)
  }

  @Test func `a model with a composite attribute is refused with its line`() throws {
    let text = """
      <model><entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
      <attribute name="c" optional="YES" attributeType="Composite"/></entity></model>
      """
    let model = try folder.write(text, to: "contents")
    let message = try refusal(.model(path: model), rows: 10, model: model) { $0.saveEvery = 10 }
    #expect(message?.contains("contents:2: A.c: the engine has no composite attributes") == true, "\(message ?? "")")
  }
}
