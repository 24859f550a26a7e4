import Foundation
import Metrics
import Reporting
import TestSupport
import Testing

/// Simulated runs whose imports share rows.
@Suite(.serialized) struct OverlapRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let fixed = [
    "run", "--machine", "simulated", "--draws", "0", "--rows", "600", "--existing-rows", "150", "--batch-size", "40",
    "--save-every", "20", "--user-edit-interval", "40", "--concurrent-imports", "3", "--overlap", "30", "--quiet",
  ]

  /// Runs the program and returns the columns of each stack's summary by the name of the stack.
  private func summaries(_ arguments: String...) async throws -> [String: [String: String]] {
    try await summaries(arguments)
  }

  private func summaries(_ arguments: [String]) async throws -> [String: [String: String]] {
    let output = "\(folder.path)/\(UUID().uuidString)"
    let outcome = try await Program.run(Self.fixed + arguments + ["--output", output])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try String(contentsOfFile: "\(output)/summary.csv", encoding: .utf8)
      .split(whereSeparator: \.isNewline).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = try #require(lines.first).map(String.init)
    return Dictionary(
      uniqueKeysWithValues: lines.dropFirst().map { line in
        let columns = Dictionary(uniqueKeysWithValues: zip(header, line.map(String.init)))
        return (columns["topology"] ?? "", columns)
      })
  }

  @Test(arguments: ["catalog", "catalog-reorder", "flat"])
  func `every stack ends verified, and those with an import context for each lane have duplicates`(
    workload: String
  ) async throws {
    let summaries = try await summaries("--workload", workload)
    #expect(summaries.count == 6)
    for (name, columns) in summaries {
      #expect(columns["verified"] == "1" && columns["store_digest"]?.isEmpty == true, "\(name)")
      let isThroughOneContext = name == "all-main" || name == "reversed-parent"
      let duplicatesCount = try #require(columns["duplicates_count"].flatMap { Int($0) })
      #expect((duplicatesCount == 0) == isThroughOneContext, "\(name): \(duplicatesCount)")
      if isThroughOneContext { #expect(columns["conflicts_count"] == "0", "\(name)") }
    }
    let conflictsCount = try #require(summaries["worker-merge"]?["conflicts_count"].flatMap { Int($0) })
    #expect(conflictsCount > 0)
  }

  @Test(arguments: ["error", "store-trump", "rollback"])
  func `imports that share rows end verified under a merge policy`(policy: String) async throws {
    let summaries = try await summaries("--merge-policy", policy, "--mix", "20:80:0")
    #expect(summaries.values.allSatisfy { $0["verified"] == "1" })
  }

  @Test func `a feed may be shared`() async throws {
    let records = (0..<400).map { #"{"id":\#($0),"size":\#($0 % 9),"site":{"id":"s\#($0)","rank":\#($0 % 5)}}"# }
    let feed = try folder.write("[" + records.joined(separator: ",") + "]", to: "feed.json")
    for mix in ["100:0:0", "60:30:10"] {
      let summaries = try await summaries("--workload", feed, "--mix", mix, "--rows", "300", "--existing-rows", "0")
      #expect(summaries.values.allSatisfy { $0["verified"] == "1" })
    }
  }

  @Test(arguments: ["object-trump", "error"])
  func `rows with unique values have no duplicates in the store`(policy: String) async throws {
    let model = try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Album">
          <attribute name="number" attributeType="Integer 64"/>
          <attribute name="rating" optional="YES" attributeType="Double"/>
          <attribute name="comment" optional="YES" attributeType="String"/>
          <relationship name="tracks" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Track" \
      inverseName="album" inverseEntity="Track"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <entity name="Track">
          <attribute name="code" attributeType="String"/>
          <attribute name="length" optional="YES" attributeType="Double"/>
          <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Album" \
      inverseName="tracks" inverseEntity="Album"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
      </model>
      """, to: "contents")
    // A push into main meets no constraint, and main's save cannot be repeated under the error policy.
    let stacks = ["worker-merge", "per-view-controller"] + (policy == "error" ? [] : ["child-of-main", "three-tier"])
    let summaries = try await summaries(
      ["--model", model, "--merge-policy", policy] + stacks.flatMap { ["--topology", $0] })
    #expect(summaries.count == stacks.count)
    #expect(summaries.values.allSatisfy { $0["verified"] == "1" && $0["duplicates_count"] == "0" })
  }

  @Test func `equal runs have equal results`() async throws {
    let simulator = Simulator(folder: folder)
    let arguments = Self.fixed + ["--topology", "worker-merge", "--topology", "three-tier"]
    let first = try await simulator.results(of: arguments)
    #expect(
      try await simulator.results(
        of: arguments, environment: .inherit.updating(["SWIFT_DETERMINISTIC_HASHING": "1"])) == first)
  }
}
