import ContextEngine
import Foundation
import Synchronization

/// Work of the engine that grows with the number of contexts, lanes or entities.
package enum ScaleProbe: String, CaseIterable, Sendable {
  case contexts
  case lanes
  case entities

  package var sizes: [Int] {
    switch self {
    case .contexts: [10, 100, 1_000]
    case .lanes: [1, 10, 100]
    case .entities: [3, 30, 300]
    }
  }

  /// The name of the work in tables.
  package var title: String {
    switch self {
    case .contexts: "merge-into-contexts"
    case .lanes: "import-in-lanes"
    case .entities: "insert-and-fetch"
    }
  }

  /// Does the work in a new store, which is removed afterwards. The time of all steps is measured.
  package func sample(of size: Int, _ clock: Clock) throws -> Sample {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stackbench-scale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stopwatch = Stopwatch(clock)
    let path = folder.appendingPathComponent("store.sqlite").path
    switch self {
    case .contexts: try Self.mergeIntoContexts(size, path, stopwatch)
    case .lanes: try Self.importInLanes(size, path, stopwatch)
    case .entities: try Self.useEntities(size, path, stopwatch)
    }
    return stopwatch.sample(of: size)
  }

  private static let rowCount = 100

  /// Creates contexts with 100 objects each, and merges a save that changes all of these into each context.
  private static func mergeIntoContexts(_ count: Int, _ path: String, _ stopwatch: Stopwatch) throws {
    let stack = try EngineStack(path: path)
    let paths = ItemModel.plain
    let worker = stack.context("worker")
    let objects = try insert(0..<rowCount, paths, into: worker)
    let saves = Mutex<[SaveNotification]>([])
    let token = worker.observeDidSave { save in saves.withLock { $0.append(save) } }
    defer { token.cancel() }
    stopwatch.start()
    var request = FetchRequest(paths.entity)
    request.returnsObjectsAsFaults = false
    let shown = try (0..<count).map { number in
      let context = stack.context("screen \(number)")
      return (context, try context.performAndWait { Array(try context.fetch(request)) })
    }
    try worker.performAndWait {
      for object in objects { object[paths.rating] = .integer(-1) }
      try worker.save()
    }
    guard let save = saves.withLock({ $0.last }) else { throw PeerError(.failed, "a save was not announced") }
    for (context, _) in shown { context.performAndWait { context.mergeChanges(fromContextDidSave: save) } }
    stopwatch.stop()
    for (context, objects) in shown {
      let isMerged = context.performAndWait { objects.allSatisfy { $0[paths.rating] == .integer(-1) } }
      guard isMerged else { throw PeerError(.disagreement, "\(context.name) was left with old values") }
    }
    try stack.close()
  }

  /// Imports 100 rows in each lane, which is a context with its queue, all at the same time.
  private static func importInLanes(_ count: Int, _ path: String, _ stopwatch: Stopwatch) throws {
    let stack = try EngineStack(path: path)
    let failures = Mutex<[any Error]>([])
    stopwatch.start()
    let lanes = (0..<count).map { stack.context("lane \($0)") }
    for (number, lane) in lanes.enumerated() {
      lane.perform {
        do {
          _ = try insert(number * rowCount..<(number + 1) * rowCount, ItemModel.plain, into: lane)
        } catch {
          failures.withLock { $0.append(error) }
        }
      }
    }
    for lane in lanes { lane.performAndWait {} }
    stopwatch.stop()
    if let failure = failures.withLock({ $0.first }) { throw failure }
    try check(stack, [ItemModel.plain.entity], rowCount: count * rowCount)
    try stack.close()
  }

  /// Creates a store with many entities, inserts 100 rows of each and fetches them.
  private static func useEntities(_ count: Int, _ path: String, _ stopwatch: Stopwatch) throws {
    stopwatch.start()
    let model = ManagedObjectModel(
      (0..<count).map { .init("Item\($0)", attributes: ItemModel.attributes(indexesCode: false)) })
    let stack = try EngineStack(path: path, model: model)
    let context = stack.context("import")
    let entities = (0..<count).map { model.entity("Item\($0)") }
    for entity in entities { _ = try insert(0..<rowCount, ItemPaths(entity), into: context) }
    try check(stack, entities, rowCount: rowCount)
    stopwatch.stop()
    try stack.close()
  }

  /// Inserts the items of a range and saves them. Returns the objects.
  @discardableResult
  private static func insert(
    _ range: Range<Int>, _ paths: ItemPaths, into context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    try context.performAndWait {
      let objects = range.map { index in
        let object = context.insert(paths.entity)
        paths.set(Item(index: index), on: object)
        return object
      }
      try context.save()
      return objects
    }
  }

  private static func check(_ stack: EngineStack, _ entities: [EntityDescription], rowCount: Int) throws {
    let context = stack.context("check")
    for entity in entities {
      let found = try context.performAndWait { try context.fetch(FetchRequest(entity)).count }
      guard found == rowCount else {
        throw PeerError(.disagreement, "\(entity.name) has \(found) rows, not \(rowCount)")
      }
    }
  }
}
