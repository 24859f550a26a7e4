import Testing
import Workloads

@Suite struct TwoPhaseTests {
  private func decoded(_ workload: TwoPhaseWorkload) throws -> [[ImportRecord]] {
    let decoder = PayloadDecoder(schema: workload.schema)
    return try workload.pages.map { try decoder.decode($0.text) }
  }

  @Test func `the published import has 15,000 objects and 30,000 relationships`() throws {
    let workload = TwoPhaseWorkload(pageSize: 500, seed: 1)
    #expect(workload.objectCount == 15_000)
    #expect(workload.answer.tables.map(\.rows.count) == [200, 800, 2_000, 2_000, 10_000])
    #expect(workload.relationshipCount == 30_000)
    #expect(workload.pages.map(\.recordCount) == [200, 500, 300] + Array(repeating: 500, count: 28))
  }

  @Test func `equal seeds give equal bytes, and different seeds different bytes`() {
    let texts = [7, 7, 8].map { TwoPhaseWorkload(objectCount: 300, pageSize: 50, seed: $0).pages.map(\.text) }
    #expect(texts[0] == texts[1])
    #expect(texts[0] != texts[2])
  }

  @Test func `the bytes of a seed are the same in every version`() throws {
    let workload = TwoPhaseWorkload(objectCount: 300, pageSize: 50, seed: 1)
    let bytes = workload.pages.flatMap(\.text)
    let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    #expect(hash == 1_438_700_140_820_001_913)
  }

  @Test(arguments: [1, 7, 150, 1_001], [1, 40, 500])
  func `every size has every entity, and each page has one entity`(_ objectCount: Int, _ pageSize: Int) throws {
    let workload = TwoPhaseWorkload(objectCount: objectCount, pageSize: pageSize, seed: 3)
    let pages = try decoded(workload)
    for (page, records) in zip(workload.pages, pages) {
      #expect(page.recordCount == records.count)
      #expect((1...pageSize).contains(records.count))
      #expect(records.allSatisfy { $0.entity == page.entity && !$0.isDeletion })
    }
    #expect(workload.pages.map(\.entity) == workload.pages.map(\.entity).sorted())
    #expect(Set(workload.pages.map(\.entity)) == [0, 1, 2, 3, 4])
    #expect(workload.objectCount == workload.answer.rowCount)
  }

  @Test func `every link has a target of its entity, and keys are unique`() throws {
    let workload = TwoPhaseWorkload(objectCount: 900, pageSize: 64, seed: 5)
    let records = try decoded(workload).flatMap(\.self)
    #expect(records.count == workload.objectCount)
    var linkCount = 0
    for record in records {
      let row = try #require(workload.answer.tables[record.entity][record.key])
      #expect(row.values == record.values)
      for (link, target) in zip(workload.schema.entities[record.entity].links, record.links) {
        let entity = try #require(workload.schema.index(ofEntity: link.targetEntity))
        #expect(workload.answer.tables[entity][try #require(target)] != nil)
        linkCount += 1
      }
      #expect(row.links == record.links)
    }
    #expect(linkCount == workload.relationshipCount)
    #expect(Set(records.map { "\($0.entity) \($0.key)" }).count == records.count)
  }

  @Test func `links are spread over their targets`() {
    let workload = TwoPhaseWorkload(objectCount: 3_000, pageSize: 500, seed: 2)
    let albums = Set(workload.answer.tables[4].rows.compactMap { $0.links[0] })
    // Nearly every one of the 400 albums has one of the 2,000 tracks.
    #expect(albums.count > 380)
  }
}
