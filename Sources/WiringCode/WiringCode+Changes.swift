import Harness
import Topologies
import Workloads

/// The look-up of objects, and the changes to them.
extension WiringCode {
  /// Indicates whether records link to other records.
  var hasLinks: Bool { schema.entities.contains { !$0.links.isEmpty } }

  /// Indicates whether a record may report that its row is deleted, so that the import deletes the object.
  /// Records must be tagged, the options must include deletions, and the import must look objects up.
  var hasDeletions: Bool { schema.recordForm == .tagged && options.hasDeletions && looksUp }

  /// The methods that change objects and, if the import looks objects up or records have links, the look-up.
  var changeMembers: [String] {
    switch options.lookup {
    case .unit, .record: [changes, lookup]
    case .none: hasLinks ? [changes, lookup] : [changes]
    }
  }

  /// The expression for the keys of the rows to which a record links, in a closure with the record as its parameter.
  private static let targets = "$0.links.values.compactMap(\\.self)"

  private var changes: String {
    let perRecord = options.lookup == .record
    let statements = [
      perRecord ? lookupCall : nil, hasDeletions ? deletion : nil, finding,
      perRecord || !fetches ? nil : "found[record.key] = object",
      "for (name, value) in record.attributes { object.setValue(value, forKey: name) }", hasLinks ? linking : nil,
    ].compactMap(\.self).joined(separator: "\n")
    return """
      /// \(note)
      private static func apply(_ unit: ArraySlice<Record>, to context: NSManagedObjectContext) throws {
      \(perRecord ? "" : lookupCall.map { Self.indented($0) + "\n" } ?? "")  for record in unit {
      \(Self.indented(statements, by: 4))
        }
      }
      """
  }

  private var fetches: Bool { options.lookup != .none || hasLinks }

  private var note: String {
    switch options.lookup {
    case .unit: "Updates the existing objects and inserts the missing ones. It does not save."
    case .record: "Updates each record's object, or inserts it if it does not exist. It does not save."
    case .none: "Inserts an object for each record. None of the objects may exist already. It does not save."
    }
  }

  /// The statements that fetch objects by their keys.
  private var lookupCall: String? {
    switch options.lookup {
    case .unit:
      let keys = hasLinks ? "unit.flatMap { [$0.key] + \(Self.targets) }" : "unit.map(\\.key)"
      let note = hasLinks ? "// The objects of the unit's records, and those to which the records link.\n" : ""
      return "\(note)var found = try objects(for: \(keys), in: context)"
    case .record:
      let keys = hasLinks ? "[record.key] + record.links.values.compactMap(\\.self)" : "[record.key]"
      return "let found = try objects(for: \(keys), in: context)"
    case .none:
      guard hasLinks else { return nil }
      return """
        // The objects to which records link, except those that the unit inserts.
        let made = Set(unit.map(\\.key))
        let targets = unit.flatMap { \(Self.targets) }.filter { !made.contains($0) }
        var found = try objects(for: targets, in: context)
        """
    }
  }

  private var deletion: String {
    let gone = options.lookup == .record ? "found[record.key]" : "found.removeValue(forKey: record.key)"
    return """
      if record.deleted == true {
        if let object = \(gone) { context.delete(object) }
        continue
      }
      """
  }

  private var finding: String {
    let insertion = "NSEntityDescription.insertNewObject(forEntityName: record.key.entityName, into: context)"
    return options.lookup == .none
      ? "let object = \(insertion)" : "let object =\n  found[record.key]\n  ?? \(insertion)"
  }

  private var linking: String {
    "for (name, target) in record.links { object.setValue(target.flatMap { found[$0] }, forKey: name) }"
  }

  private var lookup: String {
    let key = schema.entities[0].keyAttributes[0]
    let cast = RecordCode.swiftType(key.type)
    return """
      /// Returns the existing objects with these keys, by key. It uses one fetch for each entity.
      private static func objects(
        for keys: [Key], in context: NSManagedObjectContext
      ) throws -> [Key: NSManagedObject] {
        var objects: [Key: NSManagedObject] = [:]
        for (entityName, keys) in Dictionary(grouping: Set(keys), by: \\.entityName) {
          let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
          request.predicate = NSPredicate(format: "%K IN %@", argumentArray: ["\(key.name)", keys.map(\\.id)])
          let fetched = \(measured(.fetch, "try context.fetch(request)"))
          for object in fetched {
            guard let id = object.value(forKey: "\(key.name)") as? \(cast) else { continue }
            objects[Key(entityName: entityName, id: id)] = object
          }
        }
        return objects
      }
      """
  }
}
