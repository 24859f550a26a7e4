import Foundation

/// Finds the values of a starting store's rows that no record sets and that have changed nevertheless: attributes and
/// relationships that the schema of the import does not have.
///
/// Derived attributes are left out, because they follow from other values.
struct KeptValues {
  private let schema: WorkloadSchema
  private let layout: StoreLayout

  init(_ schema: WorkloadSchema) {
    self.schema = schema
    layout = StoreLayout(schema)
  }

  /// Compares a closed store with the closed store from which it was copied.
  ///
  /// - Throws: `VerificationError` if the store from which it was copied cannot be opened. Any fault inside the files
  ///   becomes a problem in the report instead.
  func compare(_ file: SQLiteFile, with base: URL, report: inout VerificationReport) throws(VerificationError) {
    let original = try SQLiteFile(reading: base)
    do {
      try file.attach(original, as: "base")
      for index in schema.entities.indices {
        try compareAttributes(of: index, file: file, original: original, report: &report)
      }
      let before = try UnsetRelationships(schema, in: original).relationships
      let after = try UnsetRelationships(schema, in: file).relationships
      for (before, after) in zip(before, after) where before != after {
        add(before: before, after: after, report: &report)
      }
    } catch {
      report.add(nil, "the rows of the store cannot be compared: \(error.message)")
    }
  }

  // MARK: Attributes

  private func compareAttributes(
    of index: Int, file: SQLiteFile, original: SQLiteFile, report: inout VerificationReport
  ) throws(VerificationError) {
    let entity = schema.entities[index]
    let described = schema.model.entities[index]
    guard !described.isAbstract else { return }
    let set = Set(entity.allAttributes.map(\.name))
    let kept = schema.model.allAttributes(of: described).filter {
      !$0.isTransient && !$0.isDerived && !set.contains($0.name)
    }
    guard !kept.isEmpty else { return }
    let table = layout.entities[index].table
    let columns = kept.map { "\"\(layout.column($0.name, of: index))\"" }
    let from =
      "FROM base.\"\(table)\" AS b JOIN main.\"\(table)\" AS t ON t.Z_PK = b.Z_PK WHERE b.Z_ENT = "
      + "(SELECT Z_ENT FROM base.Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)')"
    for (attribute, column) in zip(kept, columns) {
      let sentences = try file.rows(
        "SELECT b.Z_PK, substr(quote(t.\(column)), 1, 60), substr(quote(b.\(column)), 1, 60) \(from) "
          + "AND t.\(column) IS NOT b.\(column) ORDER BY b.Z_PK"
      ) { row in
        "\(entity.name) with Z_PK \(row.integer(0)): \(attribute.name) is \(row.string(1)) and should be "
          + "\(row.string(2)), because no record sets it"
      }
      for sentence in sentences { report.add(nil, sentence) }
      if attribute.allowsExternalStorage {
        let title = "\(entity.name).\(attribute.name)"
        try compareFiles(
          "SELECT t.\(column) \(from) AND t.\(column) IS b.\(column)", title: title, file: file, original: original,
          report: &report)
      }
    }
  }

  /// Compares the files in which both stores keep the values of a column that are equal in the database.
  private func compareFiles(
    _ sql: String, title: String, file: SQLiteFile, original: SQLiteFile, report: inout VerificationReport
  ) throws(VerificationError) {
    for value in try file.rows(sql, value: { $0.data(0) })
    where value.first == 2 && value.count == 38 && file.externalValue(value) != original.externalValue(value) {
      report.add(nil, "\(title): the file \(String(decoding: value.dropFirst().dropLast(), as: UTF8.self)) has changed")
    }
  }

  // MARK: Relationships

  private func add(
    before: UnsetRelationships.Relationship, after: UnsetRelationships.Relationship,
    report: inout VerificationReport
  ) {
    let (old, new) = (Set(before.pairs), Set(after.pairs))
    let lost = before.pairs.filter { !new.contains($0) }.map { "no longer leads to \($0.targetNumber)" }
    let added = after.pairs.filter { !old.contains($0) }.map { "leads to \($0.targetNumber)" }
    let rows = before.pairs.filter { !new.contains($0) } + after.pairs.filter { !old.contains($0) }
    guard !rows.isEmpty else {
      return report.add(nil, "\(before.title): the order of rows has changed, although no record sets it")
    }
    for (row, change) in zip(rows, lost + added) {
      let name = schema.entities[row.source.entity].name
      report.add(nil, "\(name) with Z_PK \(row.source.number): \(before.title) \(change), although no record sets it")
    }
  }
}
