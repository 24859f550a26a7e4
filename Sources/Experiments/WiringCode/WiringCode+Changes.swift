import Harness
import Topologies

/// The look-up of objects, and the changes to them.
extension WiringCode {
  var records: PrintedRecords { options.records }

  /// The code for the records of a feed or a model, or nil for a standard workload.
  var feedCode: FeedRecordCode? {
    records.mapping.map { FeedRecordCode(records: records, mapping: $0, hasDeletions: hasDeletions) }
  }

  /// Indicates whether the rows of a record are values in addition to it.
  private var hasRows: Bool { !records.isFlat }

  /// Indicates whether rows link to other rows.
  private var hasLinks: Bool {
    feedCode.map { $0.hasLinks || $0.hasLists } ?? records.schema.entities.contains { !$0.links.isEmpty }
  }

  /// Indicates whether a record may report that its row is deleted, so that the import deletes the object. A record of a
  /// feed cannot.
  var hasDeletions: Bool {
    !records.isFromFeed && options.hasDeletions && !insertsBatches && options.run.lookup != .none
  }

  /// Indicates whether the import fetches the objects of one record at a time.
  private var looksUpRecords: Bool { options.run.lookup == .record }

  /// Indicates whether the import fetches objects: by their own keys, or because rows link to them.
  private var fetches: Bool { options.run.lookup != .none || hasLinks }

  /// The methods that change objects and, if the import looks objects up or rows have links, the look-up.
  @CodeBuilder var changeMembers: [Code] {
    """
    /// \(note)
    private static func apply(_ unit: ArraySlice<Record>, to context: NSManagedObjectContext) throws {
      \(looksUpRecords ? "for record in unit {\n  \(changes)\n}" : changes)
    }
    """
    if fetches { KeyCode(records.schema).lookup(fetch: measured(.fetch) { "try context.fetch(request)" }) }
  }

  private var note: String {
    switch options.run.lookup {
    case .unit: "Updates the existing objects and inserts the missing ones. It does not save."
    case .record: "Updates each record's object, or inserts it if it does not exist. It does not save."
    case .none: "Inserts an object for each record. None of the objects may exist already. It does not save."
    }
  }

  /// The statements that change the objects of a unit, or those of one record if each record's objects are looked up.
  @CodeBuilder private var changes: Code {
    if hasRows { "let rows = \(looksUpRecords ? "record.rows" : "unit.flatMap(\\.rows)")" }
    lookupCall
    if hasRows {
      "for row in rows {\n  \(change(of: "row"))\n}"
      feedCode.flatMap(rowLinking)
    } else {
      looksUpRecords ? change(of: "record") : "for record in unit {\n  \(change(of: "record"))\n}"
    }
  }

  /// Returns the statements that change, insert or delete the object of a row.
  @CodeBuilder private func change(of row: String) -> Code {
    let isFetchedForRow = looksUpRecords && !hasRows
    if hasDeletions {
      let object = isFetchedForRow ? "found[\(row).key]" : "found.removeValue(forKey: \(row).key)"
      """
      if \(hasRows ? "row.isDeletion" : "record.deleted == true") {
        if let object = \(object) { context.delete(object) }
        continue
      }
      """
    }
    let name = feedCode?.hasFamilies == true && hasRows ? "row.entityName" : "\(row).key.entityName"
    let insertion = "NSEntityDescription.insertNewObject(forEntityName: \(name), into: context)"
    if options.run.lookup == .none && !(hasRows && hasLinks) {
      "let object = \(insertion)"
    } else {
      "let object =\n  found[\(row).key]\n  ?? \(insertion)"
    }
    if fetches && !isFetchedForRow { "found[\(row).key] = object" }
    "for (name, value) in \(row).attributes { object.setValue(value, forKey: name) }"
    if hasLinks && !hasRows { Self.linking("record") }
  }

  /// The statements that fetch objects by their keys, or nil if the import fetches no objects.
  private var lookupCall: Code? {
    let rows = hasRows ? "rows" : "unit"
    // The keys of the rows to which a row links, in a closure with the row as its parameter.
    let targets = hasRows ? "$0.targets" : "$0.links.values.compactMap(\\.self)"
    switch options.run.lookup {
    case .record where !hasRows:
      let linked = hasLinks ? " + record.links.values.compactMap(\\.self)" : ""
      return "let found = try objects(for: [record.key]\(linked), in: context)"
    case .unit, .record:
      let note = "// The objects of the unit's records, and those to which the records link."
      let keys = hasLinks ? "flatMap { [$0.key] + \(targets) }" : "map(\\.key)"
      return """
        \(hasLinks && !looksUpRecords ? note : "")
        var found = try objects(for: \(rows).\(keys), in: context)
        """
    case .none where !hasLinks:
      return nil
    case .none where hasRows:
      return """
        // The objects to which rows link.
        var found = try objects(for: rows.flatMap(\\.targets), in: context)
        """
    case .none:
      return """
        // The objects to which records link, except those that the unit inserts.
        let made = Set(unit.map(\\.key))
        let targets = unit.flatMap { \(targets) }.filter { !made.contains($0) }
        var found = try objects(for: targets, in: context)
        """
    }
  }

  /// Returns the statement that sets the to-one relationships of an object.
  private static func linking(_ row: String) -> Code {
    "for (name, target) in \(row).links { object.setValue(target.flatMap { found[$0] }, forKey: name) }"
  }

  /// Returns the loop that sets the relationships, after the objects of all rows exist, or nil if there are none.
  private func rowLinking(_ code: FeedRecordCode) -> Code? {
    guard hasLinks else { return nil }
    let lists: Code = """
      for (name, keys) in row.lists {
        let targets = keys.compactMap { found[$0] }
        object.setValue(\(code.listValue), forKey: name)
      }
      """
    return """
      // A link to a row that is neither in the unit nor in the store stays empty.
      for row in rows {
        guard let object = found[row.key] else { continue }
        \(code.hasLinks ? Self.linking("row") : nil)
        \(code.hasLists ? lists : nil)
      }
      """
  }
}
