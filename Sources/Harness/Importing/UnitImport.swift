import ContextEngine
import MachineCore
import Workloads

/// An import of the records of one unit into a context: it finds or makes the objects, sets their properties, and
/// deletes.
///
/// Use it inside one block of the context's queue. It does not save.
package struct UnitImport {
  private let context: ManagedObjectContext
  private let schema: EngineSchema
  private let lookup: RunOptions.Lookup
  /// The references to rows that do not exist yet. It is to be passed to the import of the lane's next unit once this
  /// one is saved.
  package private(set) var references: ForwardReferences
  /// The objects that were found or made so far, by the key root of their entity and their key. The key is not a
  /// `Value`, because values that are canonically equivalent strings are equal.
  private var found: [[RecordKey: ManagedObject]]

  /// Creates an import of records, whose references to rows of later units are added to those of the units before.
  package init(
    _ context: ManagedObjectContext, schema: EngineSchema, lookup: RunOptions.Lookup,
    references: ForwardReferences = ForwardReferences()
  ) {
    self.context = context
    self.schema = schema
    self.lookup = lookup
    self.references = references
    found = Array(repeating: [:], count: schema.entities.count)
  }

  package mutating func run(_ records: ArraySlice<ImportRecord>) throws(PersistenceError) {
    switch lookup {
    case .unit: try find(keys(of: records, andTheirTargets: true))
    case .none: try find(targets(of: records))
    case .record: break
    }
    context.machine.account(Work(.recordApplied, count: records.count))
    for record in records {
      if lookup == .record { try find(keys(of: [record], andTheirTargets: true)) }
      apply(record)
    }
  }

  // MARK: Looking up

  /// Fetches the objects with these keys, with one fetch for each entity that has keys.
  private mutating func find(_ keys: [[RecordKey]]) throws(PersistenceError) {
    for (index, keys) in keys.enumerated() where !keys.isEmpty {
      let entity = schema.entities[index]
      let request = FetchRequest(entity.description, predicate: Self.predicate(entity, keys: keys))
      for object in try context.fetch(request) {
        guard let key = entity.key(of: object) else { continue }
        found[entity.keyRoot][key] = object
      }
    }
  }

  /// Returns a predicate that finds all rows with the keys. If a key has several attributes, the predicate compares the
  /// first of them only, and may find further rows.
  private static func predicate(_ entity: EngineSchema.Entity, keys: [RecordKey]) -> FetchPredicate {
    let values = keys.map(\.firstValue)
    let isIn = FetchPredicate.isIn(entity.keys[0], values.filter { $0 != .null }.map { Value($0) })
    return values.contains(.null) ? .or([isIn, .equal(entity.keys[0], .null)]) : isIn
  }

  /// Returns the keys that the records name, by entity. Each key is listed once, in the order of the records.
  private func keys(of records: ArraySlice<ImportRecord>, andTheirTargets: Bool) -> [[RecordKey]] {
    var keys = Array(repeating: [RecordKey](), count: schema.entities.count)
    var seen = Array(repeating: Set<RecordKey>(), count: schema.entities.count)
    func add(_ key: RecordKey, entity: Int) {
      let root = schema.entities[entity].keyRoot
      if found[root][key] == nil, seen[root].insert(key).inserted { keys[entity].append(key) }
    }
    for record in records {
      if andTheirTargets { add(record.key, entity: record.entity) }
      let entity = schema.entities[record.entity]
      for (link, target) in zip(entity.links, record.links) {
        if let target { add(target, entity: link.target) }
      }
      for (list, targets) in zip(entity.lists, record.lists) {
        for target in targets { add(target, entity: list.target) }
      }
      for reference in references.waiting(for: record.key, entity.keyRoot) {
        add(reference.key, entity: reference.entity)
      }
    }
    return keys
  }

  /// Returns the keys of the objects that the records link to. The keys of the records themselves are not included.
  private func targets(of records: ArraySlice<ImportRecord>) -> [[RecordKey]] {
    keys(of: records, andTheirTargets: false)
  }

  // MARK: Changing

  /// Returns the object with a key, or nil if it was not found or is deleted.
  private func object(entity: Int, key: RecordKey) -> ManagedObject? {
    found[schema.entities[entity].keyRoot][key].flatMap { $0.isDeleted ? nil : $0 }
  }

  private mutating func apply(_ record: ImportRecord) {
    let entity = schema.entities[record.entity]
    let key = record.key
    let known = object(entity: record.entity, key: key)
    references.forget(key, root: entity.keyRoot)
    if record.isDeletion {
      if let known { context.delete(known) }
      found[entity.keyRoot][key] = nil
      return
    }
    let object = known ?? context.insert(entity.description)
    found[entity.keyRoot][key] = object
    for (place, value) in record.values.enumerated() {
      object[entity.attributes[place]] = entity.value(value, at: place)
    }
    for (place, (link, target)) in zip(entity.links, record.links).enumerated() {
      let other = target.flatMap { self.object(entity: link.target, key: $0) }
      if let target, other == nil { wait(record, for: target, entity: link.target, property: .link(place)) }
      object.relate(other, at: link.path)
    }
    for (place, (list, targets)) in zip(entity.lists, record.lists).enumerated() {
      var others: [ManagedObject] = []
      for target in targets {
        if let other = self.object(entity: list.target, key: target) {
          others.append(other)
        } else {
          wait(record, for: target, entity: list.target, property: .list(place, targets))
        }
      }
      object.setRelatedObjects(others, at: list.path)
    }
    // Another lane may have made the row before this lane imports it.
    resolve(record, to: object)
  }

  // MARK: Forward references

  private mutating func wait(
    _ record: ImportRecord, for target: RecordKey, entity: Int, property: ForwardReferences.Property
  ) {
    references.add(
      ForwardReferences.Reference(entity: record.entity, key: record.key, property: property),
      from: schema.entities[record.entity].keyRoot, to: target, targetRoot: schema.entities[entity].keyRoot)
  }

  /// Sets the relationships that wait for an object.
  private mutating func resolve(_ record: ImportRecord, to object: ManagedObject) {
    for reference in references.take(for: record.key, schema.entities[record.entity].keyRoot) {
      guard let source = self.object(entity: reference.entity, key: reference.key) else { continue }
      let entity = schema.entities[reference.entity]
      switch reference.property {
      case .link(let place): source.relate(object, at: entity.links[place].path)
      case .list(let place, let wanted):
        let list = entity.lists[place]
        guard list.isOrdered else {
          source.add(object, to: list.path)
          continue
        }
        // The object takes the place that the record gave it among those that are there.
        let target = schema.entities[list.target]
        let earlier = Set(wanted.prefix { $0 != record.key })
        let index = source.relatedObjects(list.path).count { target.key(of: $0).map(earlier.contains) ?? false }
        source.insert(object, into: list.path, at: index)
      }
    }
  }
}
