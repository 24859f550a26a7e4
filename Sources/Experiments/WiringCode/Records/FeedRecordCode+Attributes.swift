import Workloads

/// The properties of structures that hold the values of attributes.
extension FeedRecordCode {
  /// A property that holds the value of an attribute.
  struct Attribute {
    /// The name of the model's attribute.
    var name: String
    var property: String
    var type: String
    var isOptional = false
    var source: Source
    /// The expression for the value of a row whose record lacks the member, or nil if such a row has no value.
    var defaultValue: String?

    /// Returns the declaration of the property.
    var declaration: Code {
      let declared: Code = "var \(property): \(type)\(isOptional ? "?" : "")"
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
    let attributes = mapping.entities[number].attributes.indices.map { attribute(at: $0, of: number) }
    switch mapping.entities[number].key {
    case .attributes: return attributes
    case .place(let name):
      return attributes + [Attribute(name: name, property: property(name), type: "Int64", source: .place)]
    case .content(let name):
      let values = attributes.map(\.property) + contentOfRelationships(number)
      return attributes
        + [Attribute(name: name, property: property(name), type: "String", source: .digest(of: values))]
    }
  }

  private func attribute(at place: Int, of number: Int) -> Attribute {
    let attribute = mapping.entities[number].attributes[place]
    let described = schema.entities[index(of: number)].attributes.first { $0.name == attribute.name }
    let forms = records.forms.isEmpty ? nil : records.forms[number].attributes[place]
    let keyNames = mapping.entities[number].key.attributeNames
    var code = Attribute(
      name: attribute.name, property: property(attribute.name), type: attribute.type.swiftType,
      source: .member(
        records.isFromFeed ? attribute.member : [described?.member ?? attribute.name],
        Conversion(attribute.type, dateForm: attribute.dateForm, from: forms)))
    if let constant = attribute.constantValue {
      let (value, isOptional) = SwiftNames.expression(constant, type: attribute.type)
      (code.source, code.isOptional) = (.constant(value), isOptional)
    } else if keyNames == [attribute.name] {
      code.isOptional = false
    } else if let value = attribute.defaultValue?.fieldValue {
      (code.defaultValue, code.isOptional) = SwiftNames.expression(value, type: attribute.type)
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
      return isArray(relationship, in: number) ? "\(name).map { \"\\($0.key.id)\" }" : "\(name)?.key.id"
    }
  }

  /// Returns the dictionary of the values of a row.
  func values(_ attributes: [Attribute]) -> Code {
    .dictionary(attributes.map { "\(SwiftNames.literal($0.name)): \($0.property)" })
  }

  /// Returns the expression for the key of an entity's row.
  func key(of number: Int, _ attributes: [Attribute]) -> String {
    let parts = mapping.entities[number].key.attributeNames.compactMap { name in
      attributes.first { $0.name == name }
    }
    return keys.expression(of: index(of: number), parts.map(\.property), areOptional: parts.map(\.isOptional))
  }
}
