import Workloads

/// What the digest covers of one entity, from whichever side it was read.
package struct CanonicalTable {
  struct Row {
    /// nil where the key is absent or of a kind that no key is.
    var key: RecordKey?
    /// Aligned with the entity's `attributes`.
    var values: [FieldValue]
    /// Aligned with the entity's `links`.
    var links: [Link]
    /// Aligned with the schema's `inverses(of:)`: the keys of the rows that link here, ascending.
    var inverses: [[RecordKey]]
  }

  enum Link: Hashable {
    case absent
    case row(RecordKey)
    /// A row number that no row has, or a row without a key.
    case dangling
  }

  /// By key, ascending, those without one first.
  var rows: [Row]
}

// MARK: - Of an answer

extension CanonicalTable {
  /// The tables that a right store has.
  package static func tables(of answer: Answer, schema: WorkloadSchema) -> [CanonicalTable] {
    var tables = answer.tables.enumerated().map { entity, table in
      let inverseCount = schema.inverses(of: entity).count
      return CanonicalTable(
        rows: table.rows.map { row in
          Row(
            key: row.key, values: row.values, links: row.links.map { $0.map(Link.row) ?? .absent },
            inverses: Array(repeating: [], count: inverseCount))
        })
    }
    for entity in schema.entities.indices {
      for (place, inverse) in schema.inverses(of: entity).enumerated() {
        var numbers: [RecordKey: Int] = [:]
        numbers.reserveCapacity(answer.tables[entity].rows.count)
        for (number, row) in answer.tables[entity].rows.enumerated() { numbers[row.key] = number }
        // Sources come by key, so each list is sorted as it grows.
        for source in answer.tables[inverse.sourceEntity].rows {
          guard let target = source.links[inverse.sourceLink], let number = numbers[target] else { continue }
          tables[entity].rows[number].inverses[place].append(source.key)
        }
      }
    }
    return tables
  }
}
