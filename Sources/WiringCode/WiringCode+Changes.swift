import Harness
import Topologies

/// The look-up of objects, and the changes to them.
extension WiringCode {
  /// The code for the records of a feed or a model, or nil for a standard workload.
  var feedCode: FeedRecordCode? {
    records.mapping.map { FeedRecordCode(records, mapping: $0, hasDeletions: hasDeletions) }
  }

  /// Indicates whether the rows of a record are values in addition to it.
  private var hasRows: Bool { !records.isFlat }

  /// Indicates whether rows link to other rows.
  var hasLinks: Bool {
    feedCode.map { $0.hasLinks || $0.hasLists } ?? records.schema.entities.contains { !$0.links.isEmpty }
  }

  /// Indicates whether a record may report that its row is deleted, so that the import deletes the object. A record of a
  /// feed cannot.
  var hasDeletions: Bool { !records.isFromFeed && options.hasDeletions && looksUp }

  /// The methods that change objects and, if the import looks objects up or rows have links, the look-up.
  var changeMembers: [String] {
    [changes]
      + (fetches
        ? KeyCode(records.schema).lookup(fetch: measured(.fetch, statements: "try context.fetch(request)")) : [])
  }

  /// Indicates whether the import fetches objects: by their own keys, or because rows link to them.
  private var fetches: Bool { options.lookup != .none || hasLinks }

  private var changes: String {
    let perRecord = options.lookup == .record
    let calls = [perRecord && hasRows ? "let rows = record.rows" : nil, lookupCall].compactMap(\.self)
    let unitCalls = [hasRows ? "let rows = unit.flatMap(\\.rows)" : nil, lookupCall].compactMap(\.self)
    let row = hasRows ? "row" : "record"
    let statements = [
      hasDeletions ? deletion(row) : nil, finding(row),
      !hasRows && perRecord || !fetches ? nil : "found[\(row).key] = object",
      "for (name, value) in \(row).attributes { object.setValue(value, forKey: name) }",
      hasLinks && !hasRows ? linking : nil,
    ].compactMap(\.self).joined(separator: "\n")
    let body: String
    if hasRows {
      let loops = "for row in rows {\n\(Self.indented(statements))\n}" + (hasLinks ? "\n\(rowLinking)" : "")
      body =
        perRecord
        ? "for record in unit {\n\(Self.indented((calls + [loops]).joined(separator: "\n")))\n}"
        : (unitCalls + [loops]).joined(separator: "\n")
    } else {
      let loop = (perRecord ? calls : []) + [statements]
      body =
        ((perRecord ? [] : unitCalls) + ["for record in unit {\n\(Self.indented(loop.joined(separator: "\n")))\n}"])
        .joined(separator: "\n")
    }
    return """
      /// \(note)
      private static func apply(_ unit: ArraySlice<Record>, to context: NSManagedObjectContext) throws {
      \(Self.indented(body))
      }
      """
  }

  private var note: String {
    switch options.lookup {
    case .unit: "Updates the existing objects and inserts the missing ones. It does not save."
    case .record: "Updates each record's object, or inserts it if it does not exist. It does not save."
    case .none: "Inserts an object for each record. None of the objects may exist already. It does not save."
    }
  }

  /// The expression for the keys of the rows to which a row links, in a closure with the row as its parameter.
  private var targets: String { hasRows ? "$0.targets" : "$0.links.values.compactMap(\\.self)" }

  /// The statements that fetch objects by their keys, or nil if the import fetches no objects.
  private var lookupCall: String? {
    let rows = hasRows ? "rows" : "unit"
    switch options.lookup {
    case .unit:
      let keys = hasLinks ? "\(rows).flatMap { [$0.key] + \(targets) }" : "\(rows).map(\\.key)"
      let note = hasLinks ? "// The objects of the unit's records, and those to which the records link.\n" : ""
      return "\(note)var found = try objects(for: \(keys), in: context)"
    case .record where hasRows:
      let keys = hasLinks ? "rows.flatMap { [$0.key] + \(targets) }" : "rows.map(\\.key)"
      return "var found = try objects(for: \(keys), in: context)"
    case .record:
      let keys = hasLinks ? "[record.key] + record.links.values.compactMap(\\.self)" : "[record.key]"
      return "let found = try objects(for: \(keys), in: context)"
    case .none where hasRows:
      guard hasLinks else { return nil }
      return """
        // The objects to which rows link.
        var found = try objects(for: rows.flatMap(\\.targets), in: context)
        """
    case .none:
      guard hasLinks else { return nil }
      return """
        // The objects to which records link, except those that the unit inserts.
        let made = Set(unit.map(\\.key))
        let targets = unit.flatMap { \(targets) }.filter { !made.contains($0) }
        var found = try objects(for: targets, in: context)
        """
    }
  }

  private func deletion(_ row: String) -> String {
    let isKept = options.lookup == .record && !hasRows
    let gone = isKept ? "found[\(row).key]" : "found.removeValue(forKey: \(row).key)"
    return """
      if \(hasRows ? "row.isDeletion" : "record.deleted == true") {
        if let object = \(gone) { context.delete(object) }
        continue
      }
      """
  }

  private func finding(_ row: String) -> String {
    let name = feedCode?.hasFamilies == true && hasRows ? "row.entityName" : "\(row).key.entityName"
    let insertion = "NSEntityDescription.insertNewObject(forEntityName: \(name), into: context)"
    let isBlind = options.lookup == .none && !(hasRows && hasLinks)
    return isBlind ? "let object = \(insertion)" : "let object =\n  found[\(row).key]\n  ?? \(insertion)"
  }

  private var linking: String {
    "for (name, target) in record.links { object.setValue(target.flatMap { found[$0] }, forKey: name) }"
  }

  /// The loop that sets the relationships, after the objects of all rows exist.
  private var rowLinking: String {
    guard let feedCode else { return "" }
    let lists = """
      for (name, keys) in row.lists {
        let targets = keys.compactMap { found[$0] }
        object.setValue(\(feedCode.listValue), forKey: name)
      }
      """
    let statements = [
      "guard let object = found[row.key] else { continue }",
      feedCode.hasLinks
        ? "for (name, target) in row.links { object.setValue(target.flatMap { found[$0] }, forKey: name) }" : nil,
      feedCode.hasLists ? lists : nil,
    ].compactMap(\.self)
    return """
      // A link to a row that is neither in the unit nor in the store stays empty.
      for row in rows {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }
}
