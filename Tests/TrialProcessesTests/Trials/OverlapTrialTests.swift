import ContextEngine
import Harness
import InputFiles
import TestSupport
import Testing
import Topologies
import Workloads

/// Simulated trials of several imports that share rows.
@Suite struct OverlapTrialTests {
  private func bench(
    _ workload: Workload = .catalog, model: String? = nil, mix: Mix = .standard, rows: Int = 600,
    existingRows: Int = 150, policy: MergePolicy = .objectTrump, lanes: Int = 3
  ) throws -> TrialBench {
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    var shared = WorkloadOptions(
      workload: workload, rows: rows, existingRows: .count(existingRows), batchSize: 40, mix: mix, lanes: lanes)
    shared.overlap = 30
    shared.model = model
    let options = TrialBench.options(on: profile) {
      $0.lanes = lanes
      $0.saveEvery = 20
      $0.userEditInterval = .milliseconds(40)
      $0.mergePolicy = policy
    }
    return try TrialBench(shared, options, on: profile)
  }

  @Test(arguments: [Workload.catalog, .catalogReorder, .flat])
  func `every stack ends verified, and those with an import context for each lane have duplicates`(
    workload: Workload
  ) throws {
    let bench = try bench(workload)
    for topology in Topology.all {
      let outcome = try bench.run(topology)
      let measures = outcome.measures
      #expect(measures.verified == 1 && measures.storeDigest == nil, "\(topology.title): \(outcome.complaints)")
      let isThroughOneContext = topology.id == "all-main" || topology.id == "reversed-parent"
      #expect((measures.duplicatesCount == 0) == isThroughOneContext, "\(topology.title)")
      if isThroughOneContext { #expect(measures.conflictsCount == 0, "\(topology.title)") }
      if topology.id == "worker-merge" { #expect(try #require(measures.conflictsCount) > 0) }
    }
  }

  @Test(arguments: [MergePolicy.error, .storeTrump, .rollback])
  func `imports that share rows end verified under a merge policy`(policy: MergePolicy) throws {
    let bench = try bench(mix: Mix(inserts: 20, updates: 80, deletes: 0), policy: policy)
    for topology in Topology.all { #expect(try bench.run(topology).measures.verified == 1, "\(topology.title)") }
  }

  @Test func `imports that use a context of the pool in turns end verified`() throws {
    // One more than the contexts of the pool, so that a payload begins in a context while another ends its own.
    let outcome = try bench(lanes: 4).run(.pooledChildren)
    #expect(outcome.measures.verified == 1, "\(outcome.complaints)")
  }

  @Test(arguments: [Mix.insertsOnly, Mix(inserts: 60, updates: 30, deletes: 10)])
  func `a feed may be shared`(mix: Mix) throws {
    let folder = try TemporaryFolder()
    let records = (0..<400).map { #"{"id":\#($0),"size":\#($0 % 9),"site":{"id":"s\#($0)","rank":\#($0 % 5)}}"# }
    let feed = try folder.write("[" + records.joined(separator: ",") + "]", to: "feed.json")
    let bench = try bench(.feed(path: feed), mix: mix, rows: 300, existingRows: 0)
    for topology in Topology.all { #expect(try bench.run(topology).measures.verified == 1, "\(topology.title)") }
  }

  @Test(arguments: [MergePolicy.objectTrump, .error])
  func `rows with unique values have no duplicates in the store`(policy: MergePolicy) throws {
    let folder = try TemporaryFolder()
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
    let bench = try bench(.model(path: model), model: model, policy: policy)
    // A push into main meets no constraint, and main's save cannot be repeated under the error policy.
    let stacks: [Topology] = [.workerMerge(.notification), .perViewController]
    for topology in stacks + (policy == .error ? [] : [.childOfMain, .threeTier]) {
      let measures = try bench.run(topology).measures
      #expect(measures.verified == 1 && measures.duplicatesCount == 0, "\(topology.title)")
    }
  }

  @Test func `rows with relationships that are their own inverses may be shared`() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(
      """
      <model><entity name="Person"><attribute name="code" attributeType="String"/>
        <relationship name="spouse" optional="YES" maxCount="1" destinationEntity="Person" inverseName="spouse"/>
        <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
      inverseName="friends"/></entity></model>
      """, to: "contents")
    let bench = try bench(.model(path: model), model: model, mix: Mix(inserts: 60, updates: 40, deletes: 0), rows: 300)
    for topology in Topology.all {
      let outcome = try bench.run(topology)
      #expect(outcome.measures.verified == 1, "\(topology.title): \(outcome.complaints)")
    }
  }
}
