import Workloads

/// The Swift code for the keys of rows: the entity whose table has a row, and the values that identify the row.
///
/// A key holds the values themselves if all keys have values of one type, and otherwise cases of an enumeration.
struct KeyCode: Sendable {
  /// The entities with the attributes of their keys. Each is the topmost one with that key, among whose rows a key is
  /// unique.
  private let entities: [(name: String, attributes: [WorkloadSchema.Attribute])]
  private let schema: WorkloadSchema

  /// Creates the code for the keys of the entities that have one.
  init(_ schema: WorkloadSchema) {
    self.schema = schema
    var found: [(name: String, attributes: [WorkloadSchema.Attribute])] = []
    for (index, entity) in schema.entities.enumerated() where !entity.keyIndexes.isEmpty {
      let root = schema.entities[schema.keyRoot(of: index)]
      guard !found.contains(where: { $0.name == root.name }) else { continue }
      found.append((root.name, entity.keyAttributes))
    }
    entities = found
  }

  private var attributes: [WorkloadSchema.Attribute] { entities.flatMap(\.attributes) }
  private var isComposite: Bool { entities.contains { $0.attributes.count > 1 } }
  /// The type of all values, or nil if they have several types.
  private var commonType: String? {
    let types = Set(attributes.map(\.type.swiftType))
    return types.count == 1 ? types.first : nil
  }
  private var valueType: String { commonType ?? "KeyValue" }
  private var idType: String { isComposite ? "[\(valueType)?]" : valueType }
  /// The name of the only attribute of each key, or nil if the keys have several attributes.
  private var commonName: String? {
    let names = Set(attributes.map(\.name))
    return names.count == 1 && !isComposite && commonType != nil ? names.first : nil
  }

  /// The name of the entity among whose rows a key of an entity is unique.
  func rootName(of entity: Int) -> String { schema.entities[schema.keyRoot(of: entity)].name }

  /// Returns the expression for the key of a row.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in the schema.
  ///   - values: The expressions for the values of the key's attributes.
  ///   - areOptional: True for each expression whose value is optional. By default, all values are there.
  /// - Returns: The expression.
  func expression(of entity: Int, _ values: [String], areOptional: [Bool] = []) -> String {
    let attributes = schema.entities[entity].keyAttributes
    let parts = zip(attributes, values).enumerated().map { place, pair in
      wrapped(pair.1, pair.0.type, isOptional: areOptional.indices.contains(place) && areOptional[place])
    }
    let id = isComposite ? "[\(parts.joined(separator: ", "))]" : parts.first ?? ""
    return "Key(entityName: \(SwiftNames.literal(rootName(of: entity))), id: \(id))"
  }

  private func wrapped(_ value: String, _ type: ValueType, isOptional: Bool) -> String {
    guard commonType == nil else { return value }
    let form = Form(type)
    let conversion = form.rawValue == type.swiftType ? nil : form.rawValue
    if isOptional {
      return conversion.map { "\(value).map { .\(form)(\($0)($0)) }" } ?? "\(value).map { .\(form)($0) }"
    }
    return ".\(form)(\(conversion.map { "\($0)(\(value))" } ?? value))"
  }
}

// MARK: - The enumeration

extension KeyCode {
  /// The kinds of values in keys, as cases of the printed enumeration with their types.
  private enum Form: String, CaseIterable {
    case string = "String"
    case integer = "Int64"
    case number = "Double"
    case decimal = "Decimal"
    case boolean = "Bool"
    case date = "Date"
    case uuid = "UUID"
    case url = "URL"

    init(_ type: ValueType) {
      switch type {
      case .integer16, .integer32, .integer64: self = .integer
      case .decimal: self = .decimal
      case .double, .float: self = .number
      case .boolean: self = .boolean
      case .date: self = .date
      case .string, .binary, .transformable: self = .string
      case .uuid: self = .uuid
      case .uri: self = .url
      }
    }
  }

  /// The declarations of the key, and of its values if they have several types.
  @CodeBuilder var declarations: [Code] {
    """
    /// The entity and the server's ID of an object.\(isComposite ? " Some keys have several values." : "")
    nonisolated struct Key: Hashable, Sendable {
      var entityName: String
      var id: \(idType)
    }
    """
    if commonType == nil {
      // The cases have the order in which the types are declared.
      let forms = Form.allCases.filter { form in attributes.contains { Form($0.type) == form } }
      """
      /// A value that identifies an object.
      nonisolated enum KeyValue: Hashable, Sendable {
        \(forms.map { "case \($0)(\($0.rawValue))" })

        /// The value as an argument of a predicate.
        var argument: Any {
          switch self {
          \(forms.map { "case .\($0)(let value): value" })
          }
        }
      }
      """
    }
  }
}

// MARK: - The look-up

extension KeyCode {
  /// Returns the function that fetches the objects with given keys, and what it calls. `fetch` is the expression of a
  /// fetch.
  @CodeBuilder func lookup(fetch: Code) -> [Code] {
    """
    /// Returns the existing objects with these keys, by key. It uses one fetch for each entity.
    private static func objects(
      for keys: [Key], in context: NSManagedObjectContext
    ) throws -> [Key: NSManagedObject] {
      var objects: [Key: NSManagedObject] = [:]
      for (entityName, keys) in Dictionary(grouping: Set(keys), by: \\.entityName) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        \(predicate)
        let fetched = \(fetch)
        for object in fetched {
          \(reading)
        }
      }
      return objects
    }
    """
    if commonName == nil {
      let pairs = entities.map { "\(SwiftNames.literal($0.name)): \(SwiftNames.literal($0.attributes[0].name))" }
      """
      /// \(isComposite ? "The first attribute of each entity's key." : "The attribute of each entity's key.")
      private static let keyNames = \(Code.dictionary(pairs))
      """
      """
      /// Returns the key of an object, or nil if the object has none.
      private static func key(of object: NSManagedObject, in entityName: String) -> Key? {
        switch entityName {
        \(entities.map { reading($0.name, $0.attributes) })
        default: return nil
        }
      }
      """
    }
  }

  private var predicate: Code {
    let argument = commonType == nil ? ".argument" : ""
    if let commonName {
      return """
        request.predicate = NSPredicate(format: "%K IN %@", argumentArray: ["\(commonName)", keys.map(\\.id)])
        """
    }
    guard isComposite else {
      return """
        let arguments: [Any] = [keyNames[entityName] ?? "", keys.map(\\.id\(argument))]
        request.predicate = NSPredicate(format: "%K IN %@", argumentArray: arguments)
        """
    }
    return """
      // The first value of a key is looked for, so that more objects than needed can be fetched.
      let name = keyNames[entityName] ?? ""
      let firstValues = keys.compactMap { $0.id[0]\(argument.isEmpty ? "" : "?\(argument)") }
      request.predicate =
        firstValues.count == keys.count
        ? NSPredicate(format: "%K IN %@", argumentArray: [name, firstValues])
        : NSPredicate(format: "%K IN %@ OR %K == NIL", argumentArray: [name, firstValues, name])
      """
  }

  private var reading: Code {
    guard let commonName, let commonType else {
      return "if let key = key(of: object, in: entityName) { objects[key] = object }"
    }
    return """
      guard let id = object.value(forKey: "\(commonName)") as? \(commonType) else { continue }
      objects[Key(entityName: entityName, id: id)] = object
      """
  }

  /// Returns the case of an entity in the function that reads the key of an object.
  private func reading(_ name: String, _ attributes: [WorkloadSchema.Attribute]) -> Code {
    let values = attributes.map { attribute in
      "object.value(forKey: \(SwiftNames.literal(attribute.name))) as? \(attribute.type.swiftType)"
    }
    let ids = zip(attributes, values).map { attribute, value in
      commonType == nil ? wrapped("(\(value))", attribute.type, isOptional: true) : value
    }
    let (start, id): (Code, String) =
      isComposite
      ? ("let id: \(idType) = \(Code.array(ids))", "id")
      : ("guard let value = \(values[0]) else { return nil }", wrapped("value", attributes[0].type, isOptional: false))
    return """
      case \(SwiftNames.literal(name)):
        \(start)
        return Key(entityName: entityName, id: \(id))
      """
  }
}
