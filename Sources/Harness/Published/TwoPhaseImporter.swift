import ContextEngine
import MachineCore
import Workloads

/// Imports a two-phase workload through a stack: all objects first, then all relationships, in one worker context.
///
/// How the article's importer looked things up is not said; this is read from what is.
/// - *Objects*: find-or-create by **one fetch for each page of 50 records**. One fetch an object it cannot have been: of a
///   worker below main each fetch runs on the main thread, and the traces of #3 and #5 show that idle for the first
///   twenty seconds, until the one big save pushes 10,000 objects into it. One fetch a save neither: the two totals of #2
///   lie 10 s apart over the same objects and rows, so something grew faster than what was saved. Every fetch tests all
///   unsaved objects of its entity, which is that: 10,000 of them in pages of 50 are a million tests, 500 are 4,500 a
///   save and 90,000 in all. 50 is the ordinary size of a server's page; it agrees with both totals of #2, to which the
///   profile is fitted, and no other row was looked at. The update changed how often it saved and nothing else, so the
///   pages are the same in both versions.
/// - *Relationships*: **one fetch for each entity at either end of a page's 500 relationships**, by the keys; then each is
///   set, which fires both its objects: of a worker below main, a short block of the main queue each. That is the dense
///   alternation of the second half of the traces. Some 30,000 fetches of one target each, in the 28 s that #2 took, would
///   be 0.9 ms each with the setting and saving, when one indexed fetch took 1.7 ms on the iPhone 5, twice as fast a
///   device. A save follows every page, in both versions.
/// - Records are parsed where they are imported, dates included, on the worker's queue, before they are looked up: it can
///   go on while a parent saves.
///
/// One unit, which is what one save carries, is one block of the worker's queue; the next is posted when it ends. Started
/// from any thread; everything else happens on the worker's queue.
final class TwoPhaseImporter: Sendable {
  struct Setting: Sendable {
    let machine: any Machine
    let schema: EngineSchema
    let workload: TwoPhaseWorkload
    /// How many objects one save carries, or nil for one save after each entity's last object.
    let objectsPerSave: Int?
    /// `unit` is what stands above; `record` looks up every record and every end of a relationship by a fetch of its own,
    /// and `none` inserts objects blindly.
    let lookup: RunOptions.Lookup
    let relationshipsPerSave: Int
  }

  private let setting: Setting
  private let context: ManagedObjectContext
  private let decoder: PayloadDecoder
  private let state = Guarded(State())

  private struct State {
    /// What the first phase has decoded so far, in order, for the second.
    var records: [ImportRecord] = []
    var failure: (any Error)?
  }

  /// What one save carries.
  private enum Unit {
    /// These pages' objects.
    case objects(Range<Int>)
    /// These relationships, counted over all records.
    case relationships(Range<Int>)
  }

  /// - Parameter context: the stack's import context; it serves the whole import.
  init(_ setting: Setting, context: ManagedObjectContext) {
    self.setting = setting
    self.context = context
    decoder = PayloadDecoder(schema: setting.workload.schema)
  }

  /// Posts the first unit. `completion` runs inside the last block, after its save.
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
        try setting.machine.during(.importing) { try run(unit) }
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
    let records = try setting.machine.during(.decode) {
      let records = try decoder.decode(page.text)
      setting.machine.account(Work(.recordDecoded, count: records.count, bytes: page.text.count))
      return records
    }
    let entity = setting.schema.entities[page.entity]
    let keys = records.map { Value($0.key.fieldValue) }
    var found = setting.lookup == .unit ? try objects(of: page.entity, keys: keys) : [:]
    for (record, key) in zip(records, keys) {
      if setting.lookup == .record { found = try objects(of: page.entity, keys: [key]) }
      let object = found[key] ?? context.insert(entity.description)
      for (path, value) in zip(entity.attributes, record.values) { object[path] = Value(value) }
    }
    state.withLock { $0.records += records }
  }

  /// The objects with these keys, by one fetch.
  private func objects(of entity: Int, keys: [Value]) throws(PersistenceError) -> [Value: ManagedObject] {
    let entity = setting.schema.entities[entity]
    var found: [Value: ManagedObject] = [:]
    let request = FetchRequest(entity.description, predicate: .isIn(entity.key, keys))
    for object in try context.fetch(request) { found[object[entity.key]] = object }
    return found
  }
}

// MARK: - Relationships

extension TwoPhaseImporter {
  /// An object by entity and key.
  private struct Name: Hashable {
    let entity: Int
    let key: Value
  }

  /// One link of one record.
  private struct Relationship {
    let source: Name
    let link: EngineSchema.Link
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

  /// For each entity the keys at either end of the relationships, each once, in the order in which they come.
  private func keys(of relationships: [Relationship]) -> [[Value]] {
    var keys = Array(repeating: [Value](), count: setting.schema.entities.count)
    var seen: Set<Name> = []
    for name in relationships.flatMap({ [$0.source, $0.target] }) where seen.insert(name).inserted {
      keys[name.entity].append(name.key)
    }
    return keys
  }

  /// The relationships at these places, counted over all records and their links.
  private func relationships(_ range: Range<Int>) -> [Relationship] {
    let records = state.withLock { $0.records }
    var relationships: [Relationship] = []
    var place = 0
    for record in records {
      defer { place += record.links.count }
      guard place < range.upperBound, place + record.links.count > range.lowerBound else { continue }
      let source = Name(entity: record.entity, key: Value(record.key.fieldValue))
      let links = setting.schema.entities[record.entity].links
      for (index, target) in record.links.enumerated() where range.contains(place + index) {
        guard let target else { continue }
        relationships.append(
          Relationship(
            source: source, link: links[index],
            target: Name(entity: links[index].target, key: Value(target.fieldValue))))
      }
    }
    return relationships
  }
}
