/// A plain model of the rows, kept in dictionaries, to which records are applied in order.
///
/// The model finds or creates rows by key, as an import does, and deletes by the schema's delete rules.
package struct AnswerModel: Sendable {
  private struct StoredRow {
    var values: [FieldValue]
    var links: [RecordKey?]
  }

  /// A link, as seen from its target.
  private struct Source: Hashable {
    var entity: Int
    var link: Int
    var key: RecordKey
  }

  private let schema: WorkloadSchema
  private let inverses: [[WorkloadSchema.Inverse]]
  private let targets: [[Int]]
  private var tables: [[RecordKey: StoredRow]]
  /// The rows that link to each row, by the target's entity and key.
  private var sources: [[RecordKey: Set<Source>]]
  /// The keys of the rows that a record or a cascade has deleted, for each entity.
  package private(set) var deletedKeys: [Set<RecordKey>]

  /// Creates a model without rows. Traps if a link names an entity that the schema does not have.
  package init(schema: WorkloadSchema) {
    self.schema = schema
    inverses = schema.entities.indices.map { schema.inverses(of: $0) }
    targets = schema.entities.map { entity in
      entity.links.map { link in
        guard let target = schema.index(ofEntity: link.targetEntity) else {
          fatalError("\(entity.name).\(link.name) links to \(link.targetEntity), which is no entity of the schema")
        }
        return target
      }
    }
    tables = Array(repeating: [:], count: schema.entities.count)
    sources = Array(repeating: [:], count: schema.entities.count)
    deletedKeys = Array(repeating: [], count: schema.entities.count)
  }

  /// Creates, changes or deletes the row of a record. A link to a row that does not exist is left empty.
  ///
  /// - Returns: The entities of the rows created, changed or deleted, including those affected by a delete rule.
  @discardableResult
  package mutating func apply(_ record: ImportRecord) -> Set<Int> {
    Set(change(record).map(\.entity))
  }

  /// Creates, changes or deletes the row of a record. A link to a row that does not exist is left empty.
  ///
  /// - Returns: The rows created, changed or deleted, including those affected by a delete rule.
  package mutating func change(_ record: ImportRecord) -> [(entity: Int, key: RecordKey)] {
    var touched: [(entity: Int, key: RecordKey)] = []
    if record.isDeletion {
      delete(record.entity, record.key, &touched)
    } else {
      touched.append((record.entity, record.key))
      unlink(record.entity, record.key)
      var links = record.links
      for place in links.indices {
        guard let key = links[place] else { continue }
        let target = targets[record.entity][place]
        if tables[target][key] == nil {
          links[place] = nil
        } else {
          sources[target][key, default: []].insert(Source(entity: record.entity, link: place, key: record.key))
        }
      }
      tables[record.entity][record.key] = StoredRow(values: record.values, links: links)
    }
    return touched
  }

  /// Returns the current state of a row, or nil if the row does not exist.
  package func row(_ entity: Int, _ key: RecordKey) -> Answer.Row? {
    tables[entity][key].map { Answer.Row(key: key, values: $0.values, links: $0.links) }
  }

  /// Returns the current state of all rows.
  package func answer() -> Answer {
    Answer(
      tables: tables.map { table in
        let keys = table.keys.sorted()
        return Answer.Table(
          rows: keys.map { key in
            let row = table[key]!
            return Answer.Row(key: key, values: row.values, links: row.links)
          })
      })
  }

  private mutating func delete(_ entity: Int, _ key: RecordKey, _ touched: inout [(entity: Int, key: RecordKey)]) {
    guard tables[entity][key] != nil else { return }
    touched.append((entity, key))
    unlink(entity, key)
    tables[entity][key] = nil
    deletedKeys[entity].insert(key)
    // The result does not depend on the order in which a set gives its members.
    for source in sources[entity].removeValue(forKey: key) ?? [] {
      let inverse = inverses[entity].first { $0.sourceEntity == source.entity && $0.sourceLink == source.link }
      switch inverse?.deleteRule {
      case .cascade:
        delete(source.entity, source.key, &touched)
      case .nullify, nil:
        tables[source.entity][source.key]?.links[source.link] = nil
        touched.append((source.entity, source.key))
      }
    }
  }

  private mutating func unlink(_ entity: Int, _ key: RecordKey) {
    guard let row = tables[entity][key] else { return }
    for (place, target) in row.links.enumerated() {
      guard let target else { continue }
      sources[targets[entity][place]][target]?.remove(Source(entity: entity, link: place, key: key))
    }
  }
}
