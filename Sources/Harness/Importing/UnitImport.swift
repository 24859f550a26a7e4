import ContextEngine
import MachineCore
import Workloads

/// An import of the records of one unit into a context: it finds or makes the objects, sets their properties, and
/// deletes.
///
/// Use it inside one block of the context's queue. It does not save.
struct UnitImport {
  private let context: ManagedObjectContext
  private let schema: EngineSchema
  private let lookup: RunOptions.Lookup
  /// The objects of each entity that were found or made so far, by key. The key is not a `Value`, because values that
  /// are canonically equivalent strings are equal.
  private var found: [[RecordKey: ManagedObject]]

  init(_ context: ManagedObjectContext, schema: EngineSchema, lookup: RunOptions.Lookup) {
    self.context = context
    self.schema = schema
    self.lookup = lookup
    found = Array(repeating: [:], count: schema.entities.count)
  }

  mutating func run(_ records: ArraySlice<ImportRecord>) throws(PersistenceError) {
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
  private mutating func find(_ keys: [[Value]]) throws(PersistenceError) {
    for (index, keys) in keys.enumerated() where !keys.isEmpty {
      let entity = schema.entities[index]
      let request = FetchRequest(entity.description, predicate: .isIn(entity.key, keys))
      for object in try context.fetch(request) {
        guard let key = RecordKey(FieldValue(object[entity.key])) else { continue }
        found[index][key] = object
      }
    }
  }

  /// Returns the keys that the records name, by entity. Each key is listed once, in the order of the records.
  private func keys(of records: ArraySlice<ImportRecord>, andTheirTargets: Bool) -> [[Value]] {
    var keys = Array(repeating: [Value](), count: schema.entities.count)
    var seen = Array(repeating: Set<RecordKey>(), count: schema.entities.count)
    func add(_ key: RecordKey, _ entity: Int) {
      if found[entity][key] == nil, seen[entity].insert(key).inserted {
        keys[entity].append(Value(key.fieldValue))
      }
    }
    for record in records {
      if andTheirTargets { add(record.key, record.entity) }
      for (link, target) in zip(schema.entities[record.entity].links, record.links) {
        if let target { add(target, link.target) }
      }
    }
    return keys
  }

  /// Returns the keys of the objects that the records link to. The keys of the records themselves are not included.
  private func targets(of records: ArraySlice<ImportRecord>) -> [[Value]] {
    keys(of: records, andTheirTargets: false)
  }

  // MARK: Changing

  private mutating func apply(_ record: ImportRecord) {
    let entity = schema.entities[record.entity]
    let key = record.key
    let known = found[record.entity][key].flatMap { $0.isDeleted ? nil : $0 }
    if record.isDeletion {
      if let known { context.delete(known) }
      found[record.entity][key] = nil
      return
    }
    let object = known ?? context.insert(entity.description)
    found[record.entity][key] = object
    for (path, value) in zip(entity.attributes, record.values) { object[path] = Value(value) }
    for (link, target) in zip(entity.links, record.links) {
      object.relate(target.flatMap { found[link.target][$0] }, at: link.path)
    }
  }
}
