import ContextEngine
import Harness
import MachineCore
import Workloads

/// An importer of a two-phase workload: it imports all objects, then all relationships, in one worker context of a
/// stack.
///
/// The article does not describe how its importer looked up objects. The following is concluded from its figures.
/// - *Objects*: The importer makes **one fetch for each page of 50 records**. One fetch for each object is not
///   possible: for a worker below main, each fetch runs on the main thread, and the traces of #3 and #5 show that
///   thread idle for the first twenty seconds, until one large save pushes 10,000 objects into it. One fetch for each
///   save is not possible either: the two totals of #2 differ by 10 s for the same objects and rows, so some cost grew
///   faster than the number of saved objects. Every fetch tests all unsaved objects of its entity, which explains it:
///   10,000 objects in pages of 50 are a million tests; 500 objects are 4,500 tests for each save, and 90,000 in all. A
///   page of 50 is common for servers, and it agrees with both totals of #2, to which the profile is fitted; no other
///   row was used. The article's update changed only the number of saves, so both versions have the same pages.
/// - *Relationships*: The importer makes **one fetch for each entity at either end of a page's 500 relationships**, by
///   the keys. Then it sets each relationship, which fires both its objects; for a worker below main, each fault is a
///   short block of the main queue. This is the dense alternation in the second half of the traces. Some 30,000 fetches
///   of one target each, in the 28 s of #2, would take 0.9 ms each including the setting and saving, but one indexed
///   fetch took 1.7 ms on the iPhone 5, a device that is twice as fast. Both versions save after every page.
/// - Records and their dates are decoded on the worker's queue before they are looked up, so that decoding can continue
///   while a parent saves.
///
/// One unit, which is the content of one save, is one block of the worker's queue, and posts the next unit when it
/// ends. Any thread may start the importer. All its other work runs on the worker's queue.
final class TwoPhaseImporter: Sendable {
  struct Setting: Sendable {
    let machine: any Machine
    let schema: EngineSchema
    let workload: TwoPhaseWorkload
    /// The number of objects in one save, or nil for one save after each entity's last object.
    let objectsPerSave: Int?
    /// The way in which objects are looked up. `unit` is the one described above. `record` makes a separate fetch for
    /// every record and for every end of a relationship. `none` inserts objects without looking for them.
    let lookup: RunOptions.Lookup
    let relationshipsPerSave: Int
  }

  private let setting: Setting
  private let context: ManagedObjectContext
  private let decoder: PayloadDecoder
  private let state = Guarded(State())

  private struct State {
    /// The records that the first phase has decoded so far, in order. The second phase uses them.
    var records: [ImportRecord] = []
    var failure: (any Error)?
  }

  /// The content of one save.
  private enum Unit {
    /// The objects of these pages.
    case objects(Range<Int>)
    /// The relationships with these numbers, counted over all records.
    case relationships(Range<Int>)
  }

  /// Creates an importer. `context` is the stack's import context, which is used for the whole import.
  init(_ setting: Setting, context: ManagedObjectContext) {
    self.setting = setting
    self.context = context
    decoder = PayloadDecoder(schema: setting.workload.schema)
  }

  /// Posts the first unit.
  ///
  /// - Parameter completion: Called inside the last block, after its save.
  func start(completion: @escaping @Sendable () -> Void) {
    post(units()[...], completion)
  }

  var failure: (any Error)? { state.withLock { $0.failure } }
}

// MARK: - Units

extension TwoPhaseImporter {
  private func units() -> [Unit] {
    let pages = setting.workload.pages
    var units: [Unit] = []
    var first = 0
    var recordCount = 0
    for page in pages.indices {
      recordCount += pages[page].recordCount
      let isLast = page + 1 == pages.count || pages[page + 1].entity != pages[page].entity
      let isFull = !isLast && recordCount + pages[page + 1].recordCount > setting.objectsPerSave ?? .max
      guard isLast || isFull else { continue }
      units.append(.objects(first..<page + 1))
      first = page + 1
      recordCount = 0
    }
    let count = setting.workload.relationshipCount
    for start in stride(from: 0, to: count, by: setting.relationshipsPerSave) {
      units.append(.relationships(start..<min(start + setting.relationshipsPerSave, count)))
    }
    return units
  }

  private func post(_ units: ArraySlice<Unit>, _ completion: @escaping @Sendable () -> Void) {
    guard let unit = units.first else { return completion() }
    context.perform { [self] in
      do {
        try setting.machine.recorder.during(.importing) { try run(unit) }
      } catch {
        state.withLock { $0.failure = error }
        return
      }
      post(units.dropFirst(), completion)
    }
  }

  private func run(_ unit: Unit) throws {
    switch unit {
    case .objects(let pages):
      for page in pages { try importObjects(of: setting.workload.pages[page]) }
    case .relationships(let range):
      try resolveRelationships(range)
    }
    try context.save()
  }
}

// MARK: - Objects

extension TwoPhaseImporter {
  private func importObjects(of page: TwoPhaseWorkload.Page) throws {
    let records = try setting.machine.recorder.during(.decode) {
      let records = try decoder.decode(page.text)
      setting.machine.account(Work(.recordDecoded, count: records.count, bytes: page.text.count))
      return records
    }
    let entity = setting.schema.entities[page.entity]
    let keys = records.map { Value($0.key.firstValue) }
    var found = setting.lookup == .unit ? try objects(of: page.entity, keys: keys) : [:]
    for (record, key) in zip(records, keys) {
      if setting.lookup == .record { found = try objects(of: page.entity, keys: [key]) }
      let object = found[key] ?? context.insert(entity.description)
      for (path, value) in zip(entity.attributes, record.values) { object[path] = Value(value) }
    }
    state.withLock { $0.records += records }
  }

  /// Returns the objects with these keys by one fetch.
  private func objects(of entity: Int, keys: [Value]) throws(PersistenceError) -> [Value: ManagedObject] {
    let entity = setting.schema.entities[entity]
    var found: [Value: ManagedObject] = [:]
    let request = FetchRequest(entity.description, predicate: .isIn(entity.keys[0], keys))
    for object in try context.fetch(request) { found[object[entity.keys[0]]] = object }
    return found
  }
}

// MARK: - Relationships

extension TwoPhaseImporter {
  /// The name of an object, made of its entity and its key.
  private struct Name: Hashable {
    let entity: Int
    let key: Value
  }

  /// A link of a record.
  private struct Relationship {
    let source: Name
    let link: EngineSchema.Relationship
    let target: Name
  }

  private func resolveRelationships(_ range: Range<Int>) throws(PersistenceError) {
    let relationships = relationships(range)
    if setting.lookup == .record {
      for relationship in relationships {
        let source = try objects(of: relationship.source.entity, keys: [relationship.source.key])
        let target = try objects(of: relationship.target.entity, keys: [relationship.target.key])
        source[relationship.source.key]?.relate(target[relationship.target.key], at: relationship.link.path)
      }
      return
    }
    var found: [[Value: ManagedObject]] = []
    for (entity, keys) in keys(of: relationships).enumerated() {
      found.append(keys.isEmpty ? [:] : try objects(of: entity, keys: keys))
    }
    for relationship in relationships {
      let source = found[relationship.source.entity][relationship.source.key]
      let target = found[relationship.target.entity][relationship.target.key]
      source?.relate(target, at: relationship.link.path)
    }
  }

  /// Returns the keys at either end of the relationships, by entity. Each key is listed once, in the order of the
  /// relationships.
  private func keys(of relationships: [Relationship]) -> [[Value]] {
    var keys = Array(repeating: [Value](), count: setting.schema.entities.count)
    var seen: Set<Name> = []
    for name in relationships.flatMap({ [$0.source, $0.target] }) where seen.insert(name).inserted {
      keys[name.entity].append(name.key)
    }
    return keys
  }

  /// Returns the relationships with these numbers, counted over all records and their links.
  private func relationships(_ range: Range<Int>) -> [Relationship] {
    let records = state.withLock { $0.records }
    var relationships: [Relationship] = []
    var place = 0
    for record in records {
      defer { place += record.links.count }
      guard place < range.upperBound, place + record.links.count > range.lowerBound else { continue }
      let source = Name(entity: record.entity, key: Value(record.key.firstValue))
      let links = setting.schema.entities[record.entity].links
      for (index, target) in record.links.enumerated() where range.contains(place + index) {
        guard let target else { continue }
        relationships.append(
          Relationship(
            source: source, link: links[index],
            target: Name(entity: links[index].target, key: Value(target.firstValue))))
      }
    }
    return relationships
  }
}
