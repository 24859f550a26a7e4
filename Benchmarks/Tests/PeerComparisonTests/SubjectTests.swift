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

  @Test(arguments: [BenchmarkCase.scroll, .prefetch, .fetchUnsaved])
  func `every subject finds the rows that the case asks for, in order`(benchmark: BenchmarkCase) async throws {
    let sqlalchemy: [any Contender] =
      Self.python.map { python in
        [Subject.sqlalchemyORM, .sqlalchemyCore].map { SQLAlchemyContender($0, python: python) }
      } ?? []
    let expected = expectedRead(by: benchmark)
    for contender in Self.inProcess + sqlalchemy where contender.subject.takesPart(in: benchmark) {
      let sample = try await contender.perform(try assignment(benchmark))
      #expect(sample.checksum == expected.checksum, "\(contender.subject)")
      #expect(sample.unitCount == expected.count, "\(contender.subject)")
    }
  }

  @Test func `the heap stays flat while payloads are imported`() async {
    // The bytes of another test in this process would count too.
    await #expect(processExitsWith: .success) {
      var options = ComparisonOptions()
      options.rowCount = 3_000
      options.roundCount = 1
      options.cases = [.payloads]
      let figures = try await Comparison(options, contenders: [EngineContender(), RawContender()]).run()
      precondition(PayloadHeapTarget.isKept(figures) == true)
    }
  }

  @Test(arguments: [
    BenchmarkCase.reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller, .mergeIntoList,
  ])
  func `the engine and structs kept by hand do the same work, and name its steps`(
    benchmark: BenchmarkCase
  ) async throws {
    var checksums: [Int?] = []
    for contender: any Contender in [EngineContender(), ByHandContender()] {
      var assignment = try assignment(benchmark)
      assignment.isDetailed = true
      let sample = try await contender.perform(assignment)
      let unitCounts: [BenchmarkCase: Int] = [.reread: 5 * Self.rowCount, .mergeIntoList: Self.rowCount / 10]
      #expect(sample.unitCount == unitCounts[benchmark, default: Self.rowCount], "\(contender.subject)")
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

  @Test func `each row of a family belongs to a row above, and keys have no gaps`() {
    let places = (0..<1_000).map(Family.init(index:))
    for level in Family.Level.allCases {
      let own = places.filter { $0.level == level }
      #expect(own.map(\.key) == (1...own.count).map(Int64.init))
      let above = places.filter { $0.level.rawValue == level.rawValue - 1 }.map(\.key)
      #expect(own.allSatisfy { $0.parentKey.map(above.contains) ?? (level == .author) })
    }
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
    return try StoreContent.rows(of: assignment.path, benchmark.startingStore)
  }

  /// Returns the rows of the tables by key.
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
    case .saveOne:
      var rows = stored(items, version: 1)
      for index in 0..<100 {
        rows[Int64(index * items.count / 100 + 1)]?.version = 2
        rows[Int64(index * items.count / 100 + 1)]?.item.rating += 1
      }
      return [rows, [:]]
    case .cascade:
      return Family.Level.allCases.map { level in
        let places = items.indices.map(Family.init(index:))
        let kept = zip(places, items).filter { $0.0.level == level && !$0.0.isDeleted }
        return Dictionary(
          uniqueKeysWithValues: kept.map { ($0.0.key, StoreContent.StoredItem(version: 1, item: $0.1)) })
      }
    case .findOrCreate, .payloads:
      let even = stride(from: 0, to: items.count, by: 2).map { items[$0] }
      let odd = stride(from: 1, to: items.count, by: 2).map { items[$0] }
      return [[:], stored(even + odd, version: 1)]
    default: return [stored(items, version: 1), [:]]
    }
  }

  /// Returns the number of rows that a case reads, and the checksum of their values.
  private func expectedRead(by benchmark: BenchmarkCase) -> (count: Int, checksum: Int) {
    let items = Item.list(Self.rowCount)
    var list: [Item] = []
    switch benchmark {
    case .prefetch:
      let places = items.indices.map(Family.init(index:))
      let books = places.indices.filter { places[$0].level == .book }
      let checksum = books.reduce(0) { sum, book in
        let chapters = places.indices.filter {
          places[$0].level == .chapter && places[$0].parentKey == places[book].key
        }
        let read = chapters.reduce(0) { $0 + items[$1].checksum }
        return sum + items[book].checksum + read * (Int(items[book].rating) + 1)
      }
      return (places.count { $0.level != .author }, checksum)
    case .fetchUnsaved:
      for (index, item) in items.enumerated() {
        switch UnsavedChange(index: index) {
        case .insertion: list += [item, item.other]
        case .update: list.append(item.other)
        case .deletion: break
        case nil: list.append(item)
        }
      }
      list = list.filter { $0.rating < UnsavedChange.ratingBound }
    default: list = items
    }
    list.sort { $0.name < $1.name }
    return (list.count, list.reduce(0) { Item.checksum($0, name: $1.name, rating: $1.rating) })
  }

  private func stored(_ items: [Item], version: Int64) -> [Int64: StoreContent.StoredItem] {
    Dictionary(
      uniqueKeysWithValues: items.enumerated().map { offset, item in
        (Int64(offset + 1), StoreContent.StoredItem(version: version, item: item))
      })
  }
}
