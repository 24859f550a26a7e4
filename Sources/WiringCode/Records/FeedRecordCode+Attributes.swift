import Workloads

/// The properties of structures that hold the values of attributes.
extension FeedRecordCode {
  /// A property that holds the value of an attribute.
  struct Attribute {
    /// The name of the model's attribute.
    var name: String
    var property: String
    var type: String
    var isOptional: Bool
    var source: Source
    /// The expression for the value of a row whose record lacks the member, or nil if such a row has no value.
    var defaultValue: String?

    /// Returns the declaration of the property.
    var declaration: String {
      let declared = "var \(property): \(type)\(isOptional ? "?" : "")"
      return switch source {
      case .member, .digest: declared
      case .constant(let value): "\(declared) { \(value) }"
      case .place: "\(declared) = 0"
      }
    }
  }

  enum Source {
    /// The value at a path of members, with the conversion from JSON, which is nil if a decoder makes the value.
    case member([String], Conversion?)
    case constant(String)
    /// A digest of values.
    case digest(of: [String])
    /// The place of the record, which is set after the record is decoded.
    case place
  }

  /// Returns the attributes of an entity, with the one that is added for the key.
  func attributes(of number: Int) -> [Attribute] {
    let entity = mapping.entities[number]
    let described = schema.entities[index(of: number)]
    var attributes = entity.attributes.enumerated().map { place, attribute in
      self.attribute(
        attribute, forms: records.forms.isEmpty ? nil : records.forms[number].attributes[place], of: number,
        member: records.isFromFeed
          ? attribute.member
          : [described.attributes.first { $0.name == attribute.name }?.member ?? attribute.name])
    }
    switch entity.key {
    case .attributes: break
    case .place(let name):
      attributes.append(
        Attribute(name: name, property: property(name), type: "Int64", isOptional: false, source: .place))
    case .content(let name):
      let values = attributes.map(\.property) + contentOfRelationships(number)
      attributes.append(
        Attribute(
          name: name, property: property(name), type: "String", isOptional: false,
          source: .digest(of: values)))
    }
    return attributes
  }

  private func attribute(
    _ attribute: FeedMapping.Attribute, forms: ValueForms?, of number: Int, member: [String]
  ) -> Attribute {
    let type = RecordCode.swiftType(attribute.type)
    let keyNames = mapping.entities[number].key.attributeNames
    var code = Attribute(
      name: attribute.name, property: property(attribute.name), type: type, isOptional: true,
      source: .member(member, Conversion(attribute.type, dateForm: attribute.dateForm, from: forms)))
    if let constant = attribute.constantValue {
      let (value, isOptional) = SwiftNames.expression(constant, type: attribute.type)
      (code.source, code.isOptional) = (.constant(value), isOptional)
      return code
    }
    if keyNames == [attribute.name] {
      code.isOptional = false
    } else if let value = attribute.defaultValue?.fieldValue {
      let (expression, isOptional) = SwiftNames.expression(value, type: attribute.type)
      (code.defaultValue, code.isOptional) = (expression, isOptional)
    } else {
      code.isOptional = attribute.isOptional || hasDeletions && !keyNames.contains(attribute.name)
    }
    return code
  }

  /// The expressions for the parts of a record's content that are not attributes.
  private func contentOfRelationships(_ number: Int) -> [String] {
    mapping.entities[number].relationships.map { relationship in
      let name = property(relationship.name)
      if relationship.isReference { return relationship.isToMany ? "\(name).map { \"\\($0)\" }" : name }
      let isArray = relationship.isToMany || isBoxed(relationship, of: number)
      return isArray ? "\(name).map { \"\\($0.key.id)\" }" : "\(name)?.key.id"
    }
  }

  /// Returns the dictionary of the values of a row.
  func values(_ attributes: [Attribute]) -> String {
    RecordCode.dictionary(attributes.map { "\(SwiftNames.literal($0.name)): \($0.property)" })
  }

  /// Returns the expression for the key of an entity's row.
  func key(of number: Int, _ attributes: [Attribute]) -> String {
    let parts = mapping.entities[number].key.attributeNames.compactMap { name in
      attributes.first { $0.name == name }
    }
    return keys.expression(of: index(of: number), parts.map(\.property), areOptional: parts.map(\.isOptional))
  }
}
