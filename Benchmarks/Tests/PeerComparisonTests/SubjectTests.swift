import Foundation
import PeerComparison
import Testing

/// All subjects over all cases, on a few rows: they differ in speed only.
@Suite struct SubjectTests {
  private static let rowCount = 1_200

  private static let inProcess: [any Contender] = [
    EngineContender(), RawContender(), GRDBRecordsContender(), GRDBPreparedContender(),
  ]
  /// The path of a Python with SQLAlchemy, which `make peers-test` sets.
  private static let python = ProcessInfo.processInfo.environment["PEERS_PYTHON"]

  private let folder: TemporaryFolder
  private let templates: StoreTemplates

  init() throws {
    folder = try TemporaryFolder()
    templates = StoreTemplates(rowCount: Self.rowCount, in: folder.path)
  }

  @Test(arguments: BenchmarkCase.allCases.filter(\.writes))
  func `every subject leaves the rows that the case asks for`(benchmark: BenchmarkCase) async throws {
    for contender in Self.inProcess where contender.subject.takesPart(in: benchmark) {
      #expect(try await rows(after: benchmark, by: contender) == expectedRows(after: benchmark), "\(contender.subject)")
    }
  }

  @Test(
    .enabled(if: python != nil, "PEERS_PYTHON names no Python with SQLAlchemy"),
    arguments: BenchmarkCase.allCases.filter { $0.writes && Subject.sqlalchemyORM.takesPart(in: $0) },
    [Subject.sqlalchemyORM, .sqlalchemyCore])
  func `SQLAlchemy leaves the rows that the case asks for`(benchmark: BenchmarkCase, subject: Subject) async throws {
    let contender = SQLAlchemyContender(subject, python: try #require(Self.python))
    #expect(try await rows(after: benchmark, by: contender) == expectedRows(after: benchmark))
  }

  @Test(arguments: BenchmarkCase.allCases.filter { $0 == .fetch || $0 == .fault })
  func `every subject reads every attribute of every row`(benchmark: BenchmarkCase) async throws {
    let expected = Item.list(Self.rowCount).reduce(0) { $0 + $1.checksum }
    let sqlalchemy: [any Contender] =
      Self.python.map { python in
        [Subject.sqlalchemyORM, .sqlalchemyCore].map { SQLAlchemyContender($0, python: python) }
      } ?? []
    for contender in Self.inProcess + sqlalchemy {
      let sample = try await contender.perform(try assignment(benchmark))
      #expect(sample.checksum == expected, "\(contender.subject)")
      #expect(sample.unitCount == Self.rowCount, "\(contender.subject)")
      // The number of bytes also depends on other tests of the process.
      #expect((sample.heapBytes != nil) == !contender.subject.isPython, "\(contender.subject)")
    }
  }

  @Test(arguments: [BenchmarkCase.reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller])
  func `the engine and structs kept by hand do the same work, and name its steps`(
    benchmark: BenchmarkCase
  ) async throws {
    var checksums: [Int?] = []
    for contender: any Contender in [EngineContender(), ByHandContender()] {
      var assignment = try assignment(benchmark)
      assignment.isDetailed = true
      let sample = try await contender.perform(assignment)
      #expect(sample.unitCount == (benchmark == .reread ? 5 : 1) * Self.rowCount, "\(contender.subject)")
      #expect(sample.nanoseconds > 0, "\(contender.subject)")
      #expect(!sample.laps.isEmpty, "\(contender.subject)")
      checksums.append(sample.checksum)
    }
    #expect(checksums[0] != nil && checksums[0] == checksums[1])
  }

  @Test func `structs kept by hand are not compared in a case with SQL`() async throws {
    let assignment = try assignment(.insert)
    let error = await #expect(throws: PeerError.self) { try await ByHandContender().perform(assignment) }
    #expect(error?.message == "by-hand has nothing to set against insert")
  }

  @Test func `items are those of their index, with strings of 15 to 25 characters and codes of their own`() {
    let items = Item.list(2_000)
    #expect(items[1_234] == Item(index: 1_234))
    #expect(items.allSatisfy { (15...25).contains($0.code.count) && (15...25).contains($0.name.count) })
    #expect(Set(items.map(\.code)).count == items.count)
    #expect(Set(items.map { $0.code.count }).count == 11)
    #expect(Item.name(of: 7, generation: 0) == items[7].name)
    #expect(Item.name(of: 7, generation: 1) != items[7].name)
  }

  // MARK: What a case asks for

  private func assignment(_ benchmark: BenchmarkCase) throws -> Assignment {
    Assignment(
      benchmark: benchmark, path: try templates.copy(for: benchmark), items: try templates.items(for: benchmark))
  }

  private func rows(
    after benchmark: BenchmarkCase, by contender: any Contender
  ) async throws -> [[Int64: StoreContent.StoredItem]] {
    let assignment = try assignment(benchmark)
    _ = try await contender.perform(assignment)
    return try StoreContent.rows(of: assignment.path)
  }

  /// Returns the rows of the two tables by key.
  private func expectedRows(after benchmark: BenchmarkCase) -> [[Int64: StoreContent.StoredItem]] {
    let items = Item.list(Self.rowCount)
    switch benchmark {
    case .delete: return [[:], [:]]
    case .update:
      return [
        stored(
          items.map { item in
            var item = item
            item.rating += 1
            return item
          }, version: 2), [:],
      ]
    case .findOrCreate:
      let even = stride(from: 0, to: items.count, by: 2).map { items[$0] }
      let odd = stride(from: 1, to: items.count, by: 2).map { items[$0] }
      return [[:], stored(even + odd, version: 1)]
    default: return [stored(items, version: 1), [:]]
    }
  }

  private func stored(_ items: [Item], version: Int64) -> [Int64: StoreContent.StoredItem] {
    Dictionary(
      uniqueKeysWithValues: items.enumerated().map { offset, item in
        (Int64(offset + 1), StoreContent.StoredItem(version: version, item: item))
      })
  }
}
