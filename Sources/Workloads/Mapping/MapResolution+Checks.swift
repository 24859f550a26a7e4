extension MapResolution {
  /// Checks that references contain the keys of their targets. A target whose key is not decided gets that key.
  mutating func checkReferences() throws(WorkloadError) {
    for reference in references {
      guard let number = index(of: reference.entity),
        let relationship = mapping.entities[number].relationships.first(where: {
          $0.name == reference.relationship.name
        })
      else { continue }
      let target = mapping.entities[relationship.target]
      let field = "entities.\(reference.entity).relationships.\(reference.relationship.name).by"
      let names = target.attributes.map(\.name)
      guard names.contains(reference.attribute) else {
        throw fault(
          field,
          "\(target.name).\(reference.attribute) is not mapped; \(NameList.choice(reference.attribute, of: names))",
          line: reference.relationship.line)
      }
      let isGiven = map.entities.contains { $0.name == target.name && $0.key != nil }
      if target.key.addedAttribute != nil || target.key.attributeNames.isEmpty, !isGiven {
        mapping.entities[relationship.target].key = .attributes([reference.attribute])
      } else if target.key != .attributes([reference.attribute]) {
        throw fault(
          field,
          "\(reference.attribute) is not the key of \(target.name), which is \(target.key.text); use the key, or give "
            + "\(target.name) the key \(reference.attribute)", line: reference.relationship.line)
      }
    }
  }

  /// Checks that the attributes of keys are mapped and can be keys. Without a model, they become required.
  mutating func checkKeys() throws(WorkloadError) {
    for number in mapping.entities.indices {
      let entity = mapping.entities[number]
      let given = map.entities.first { $0.name == entity.name }
      let field = "entities.\(entity.name).key"
      guard case .attributes(let names) = entity.key else {
        requireKey([], of: number)
        continue
      }
      for name in names {
        guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
          if given?.key == nil, model != nil {
            // The key is chosen anew among the attributes that are left.
            mapping.entities[number].key = .attributes([])
            break
          }
          throw fault(
            field, "\(name) is not mapped; \(NameList.choice(name, of: entity.attributes.map(\.name)))",
            line: given?.line)
        }
        if attribute.constant != nil {
          throw fault(field, "\(name) has the same value in all rows; use another attribute", line: given?.line)
        }
        if attribute.type == .binary || attribute.type == .transformable {
          throw fault(
            field, "\(name) is of type \(attribute.type.rawValue), which cannot be a key; use another attribute",
            line: given?.line)
        }
      }
      requireKey(names, of: number)
    }
  }

  private mutating func requireKey(_ names: [String], of number: Int) {
    guard model == nil else { return }
    for place in mapping.entities[number].attributes.indices {
      let isKey = names.contains(mapping.entities[number].attributes[place].name)
      mapping.entities[number].attributes[place].isOptional = !isKey
    }
  }

  /// Checks that names can be those of a model without one: plain, and different from each other in capitals too.
  func checkNames() throws(WorkloadError) {
    guard model == nil else { return }
    for number in mapping.entities.indices {
      let entity = mapping.entities[number]
      let given = map.entities.first { $0.name == entity.name }
      let line = number == 0 ? map.recordsLine ?? given?.line : given?.line
      try check(entity.name, "entities.\(entity.name)", line: line)
      if mapping.entities[..<number].contains(where: { $0.name.uppercased() == entity.name.uppercased() }) {
        throw fault("entities.\(entity.name)", "another entity has this name; use another one", line: line)
      }
      var taken = ["_PK", "_ENT", "_OPT"]
      for name in names(of: number) {
        let field = "entities.\(entity.name).\(name)"
        try check(name, field, line: given?.line)
        guard !taken.contains(name.uppercased()) else {
          throw fault(
            field, "another property, the key or the attribute that the user edits has this name; use another one",
            line: given?.line)
        }
        taken.append(name.uppercased())
      }
    }
  }

  private func check(_ name: String, _ field: String, line: Int?) throws(WorkloadError) {
    guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil else { return }
    // A name that was inferred from a member may begin with a digit.
    let isInferred = name.wholeMatch(of: /[A-Za-z0-9_]+/) != nil && !field.hasSuffix("entities.\(name)")
    guard !isInferred else { return }
    throw fault(field, "a name consists of letters, digits and underscores; use another one", line: line)
  }

  /// Checks that no required references form a cycle, since none of their rows could be the first.
  func checkCycles() throws(WorkloadError) {
    for start in mapping.entities.indices {
      var path: [(entity: Int, relationship: String)] = []
      if let cycle = cycle(from: start, to: start, &path) {
        let steps = cycle.map { "\(mapping.entities[$0.entity].name).\($0.relationship)" }.joined(separator: ", ")
        let given = map.entities.first { $0.name == mapping.entities[start].name }
        throw fault(
          "entities.\(mapping.entities[start].name)",
          "the required references \(steps) lead back to \(mapping.entities[start].name), so that no row can be the "
            + "first; make one of them optional in the model", line: given?.line)
      }
    }
  }

  private func cycle(
    from number: Int, to start: Int, _ path: inout [(entity: Int, relationship: String)]
  ) -> [(entity: Int, relationship: String)]? {
    for relationship in mapping.entities[number].relationships
    where relationship.isReference && !relationship.isOptional {
      path.append((number, relationship.name))
      if relationship.target == start { return path }
      let isNew = relationship.target > start && !path.contains { $0.entity == relationship.target }
      if isNew, let found = cycle(from: relationship.target, to: start, &path) { return found }
      path.removeLast()
    }
    return nil
  }
}
