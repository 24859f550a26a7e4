import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// Tests of objects with values of each type. The tests of the stores cover the stored values.
@Suite struct AttributeTypeTests {
  private enum Sample {
    static let model = EveryType.make(transformer: PointTransformer(), defaultValues: [.float: .double(0.1)])
    static let entity = model.entity("Sample")
  }

  private struct SampleStack {
    let folder: TemporaryFolder
    let coordinator: PersistentStoreCoordinator
    let contexts: [ManagedObjectContext]

    init(depth: Int) throws {
      folder = try TemporaryFolder()
      let machine = LiveMachine(ledger: WorkLedger())
      let store = try SQLiteStore(
        machine, model: Sample.model, configuration: SQLiteStoreConfiguration(path: folder.storePath))
      coordinator = PersistentStoreCoordinator(machine: machine, store: store)
      var contexts = [ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root")]
      for level in 0..<depth {
        contexts.append(ManagedObjectContext(.privateQueue, parent: contexts[level], name: "level \(level + 1)"))
      }
      self.contexts = contexts
    }
  }

  private static let values: [(AttributeType, Value)] = [
    (.integer16, -32_768), (.integer32, 2_147_483_647), (.integer64, .integer(.min)),
    (.decimal, .decimal(Decimal(string: "1234567890123456789012345678.9012345678") ?? .nan)),
    (.double, .double(0.1)), (.float, .double(0.5)), (.boolean, .boolean(true)), (.date, .date(-1.25)),
    (.string, "zero \0, 👩‍👩‍👧, e\u{301}"), (.binary, .binary(Data())),
    (.uuid, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
    (.uri, .uri(URL(filePath: "/a/b"))), (.transformable, .transformable(TransformableValue(Point(x: 1, y: 2)))),
  ]

  @Test(arguments: 0...2)
  func `a value of each type is read unchanged before and after saves`(depth: Int) throws {
    let stack = try SampleStack(depth: depth)
    let check = { (object: ManagedObject) in
      for (type, value) in Self.values { #expect(object[type.rawValue] == value) }
    }
    let leaf = stack.contexts[depth]
    leaf.performAndWait {
      let object = leaf.insert(Sample.entity)
      for (type, value) in Self.values { object[type.rawValue] = value }
      check(object)
    }
    for context in stack.contexts.reversed() {
      try context.performAndWait {
        try context.save()
        check(try #require(try context.fetch(FetchRequest(Sample.entity)).first))
      }
    }
    let reading = ManagedObjectContext(.privateQueue, coordinator: stack.coordinator, name: "reading")
    try reading.performAndWait {
      let object = try #require(try reading.fetch(FetchRequest(Sample.entity)).first)
      check(object)
      for (type, value) in Self.values { object[type.rawValue] = value }
      #expect(!object.hasChanges)
    }
    withExtendedLifetime(stack) {}
  }

  @Test func `typed accessors read and write the same values as subscripts`() throws {
    let stack = try SampleStack(depth: 0)
    let context = stack.contexts[0]
    try context.performAndWait {
      let object = context.insert(Sample.entity)
      let path = Sample.entity.path
      object.setInteger(-5, at: path("integer16"))
      object.setDouble(0.25, at: path("float"))
      object.setBoolean(true, at: path("boolean"))
      object.setDate(12.5, at: path("date"))
      object.setString("zero \0", at: path("string"))
      #expect(object["integer16"] == -5 && object.integer(at: path("integer16")) == -5)
      #expect(object["float"] == .double(0.25) && object.double(at: path("float")) == 0.25)
      #expect(object["boolean"] == .boolean(true) && object.boolean(at: path("boolean")) == true)
      #expect(object["date"] == .date(12.5) && object.date(at: path("date")) == 12.5)
      #expect(object["string"] == "zero \0" && object.string(at: path("string")) == "zero \0")
      try context.save()
      context.reset()
      let read = try #require(try context.fetch(FetchRequest(Sample.entity)).first)
      #expect(read.integer(at: path("integer16")) == -5 && read.string(at: path("string")) == "zero \0")
      #expect(read.integer(at: path("integer64")) == nil && read.double(at: path("double")) == nil)
      read.setString(nil, at: path("string"))
      #expect(read.string(at: path("string")) == nil && read["string"].isNull && read.isUpdated)
    }
    withExtendedLifetime(stack) {}
  }

  @Test func `reading a value as another type stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try SampleStack(depth: 0)
      let context = stack.contexts[0]
      context.performAndWait { _ = context.insert(Sample.entity).integer(at: Sample.entity.path("string")) }
    }
    try expectSentence("Sample.string was read as a value of another type", from: result)
  }

  @Test func `a float attribute rounds its values and default to Float`() throws {
    let stack = try SampleStack(depth: 0)
    let context = stack.contexts[0]
    context.performAndWait {
      let object = context.insert(Sample.entity)
      #expect(object["float"] == .double(Double(Float(0.1))))
      object["float"] = .double(1.0 / 3)
      #expect(object["float"] == .double(Double(Float(1.0 / 3))))
    }
    withExtendedLifetime(stack) {}
  }

  @Test func `transformable values are compared with ==, and setting an equal value is no change`() throws {
    let stack = try SampleStack(depth: 0)
    let context = stack.contexts[0]
    try context.performAndWait {
      let object = context.insert(Sample.entity)
      object["transformable"] = .transformable(TransformableValue(Point(x: 3, y: 4)))
      try context.save()
      object["transformable"] = .transformable(TransformableValue(Point(x: 3, y: 4)))
      #expect(!object.hasChanges)
      object["transformable"] = .transformable(TransformableValue(Point(x: 4, y: 3)))
      #expect(object.hasChanges)
      object["transformable"] = .null
      #expect(object["transformable"].isNull)
    }
    withExtendedLifetime(stack) {}
  }

  @Test(arguments: [
    (AttributeType.integer16, Int64(Int16.max)), (.integer16, Int64(Int16.min)), (.integer32, Int64(Int32.max)),
    (.integer32, Int64(Int32.min)),
  ])
  func `a small integer type admits values up to its limits only`(type: AttributeType, limit: Int64) {
    #expect(type.admits(.integer(limit)))
    #expect(!type.admits(.integer(limit + limit.signum())))
  }

  @Test func `setting an integer beyond its type's limits stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try SampleStack(depth: 0)
      let context = stack.contexts[0]
      context.performAndWait { context.insert(Sample.entity)["integer16"] = 32_768 }
    }
    try expectSentence("Sample.integer16 was set to integer(32768), which is not of its type", from: result)
  }

  @Test func `a transformable attribute without a transformer stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription("place", .transformable)
    }
    try expectSentence(
      "attribute place is of type transformable: transformable attributes have a transformer", from: result)
  }
}

private struct Point: Hashable, Codable {
  var x: Int
  var y: Int
}

private struct PointTransformer: ContextEngine.ValueTransformer {
  let name = "point"

  func transformedValue(_ value: any Hashable & Sendable) -> Data? {
    (value as? Point).map { Data("\($0.x) \($0.y)".utf8) }
  }

  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? {
    let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
  }
}
