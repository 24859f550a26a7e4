import Harness
import InputFiles
import MachineSimulated

/// The parts of a row that are needed to read its steps.
struct StepContext: Sendable {
  var entities: [PublishedTable.Entity]
  /// The context of steps that do not name a context.
  var party: PublishedTable.Party
}

// MARK: - Steps

extension PublishedTableReader {
  /// Returns the steps in a list. Those that another step runs must work in a single context.
  func steps(
    _ mapping: YAMLMapping, _ key: String, _ context: StepContext, isInStep: Bool = false
  ) throws(YAMLError) -> [PublishedStep] {
    let all = actions(context)
    let usable = all.filter { !isInStep || !["reopen", "together", "importInTwoPhases"].contains($0.name) }
    var steps: [PublishedStep] = []
    for step in try mapping.mappings(key, keys: ["name"] + usable.names()) {
      let count = step.keys.count { $0 != "name" }
      guard count == 1, let action = try usable.value(of: step, nil) else {
        throw YAMLError(
          .invalidValue,
          "\(count == 0 ? "no step" : "several steps in one entry"); use one of \(all.names().joined(separator: ", "))",
          place: place, line: step.line, key: String(step.path.dropLast()))
      }
      steps.append(PublishedStep(name: step.has("name") ? try step.text("name") : nil, action: action))
    }
    return steps
  }

  /// The keys that a step may have.
  var stepKeys: [String] { ["name"] + actions(StepContext(entities: [], party: .importing)).names() }

  private func actions(_ context: StepContext) -> [YAMLKey<PublishedStep.Action?>] {
    let party = context.party
    return [
      .making("insert", .mapping(context.insertion, PublishedStep.Insertion(party: party))) { .insert($0) },
      .making("findOrCreate", .mapping(context.findOrCreate, PublishedStep.FindOrCreate(party: party))) {
        .findOrCreate($0)
      },
      .making("fetch", .mapping(context.fetch, PublishedStep.Fetch(party: party))) { .fetch($0) },
      .making("update", .mapping(context.update, PublishedStep.Change(party: party))) { .update($0) },
      .making("delete", .mapping(context.change, PublishedStep.Change(party: party))) { .delete($0) },
      .making("batchUpdate", .mapping(context.batchUpdate, PublishedStep.BatchRequest(party: party))) {
        .batchUpdate($0)
      },
      .making("batchDelete", .mapping(context.batchRequest, PublishedStep.BatchRequest(party: party))) {
        .batchDelete($0)
      },
      .making("link", .mapping(context.linking, PublishedStep.Linking(party: party))) { .link($0) },
      .making("save", .mapping(context.save, PublishedStep.Save(party: party))) { .save($0) },
      .making("reset", .mapping([context.partyKey(\.self)], party)) { .reset($0) },
      .making("release", .mapping([context.partyKey(\.self)], party)) { .release($0) },
      .making("reopen", .mapping([], party)) { _ in .reopen },
      .reading("together") { (mapping, action) throws(YAMLError) in
        let lists = try mapping.mapping("together", keys: ["import", "ui"])
        var (importing, ui) = (context, context)
        (importing.party, ui.party) = (.importing, .ui)
        action = .together(
          importing: try steps(lists, "import", importing, isInStep: true),
          ui: try steps(lists, "ui", ui, isInStep: true))
      },
      .making("importInTwoPhases", .mapping(StepContext.twoPhaseImport, PublishedStep.TwoPhaseImport())) {
        .importInTwoPhases($0)
      },
    ]
  }
}

// MARK: - Keys of several steps

/// A part of a table that names an entity.
protocol EntityPart: Sendable {
  var entity: String { get set }
}

extension PublishedTable.List: EntityPart {}
extension PublishedStep.Insertion: EntityPart {}
extension PublishedStep.FindOrCreate: EntityPart {}
extension PublishedStep.Linking: EntityPart {}
extension PublishedStep.Fetch: EntityPart {}
extension PublishedStep.Change: EntityPart {}
extension PublishedStep.BatchRequest: EntityPart {}

extension StepContext {
  func partyKey<Step>(_ path: WritableKeyPath<Step, PublishedTable.Party> & Sendable) -> YAMLKey<Step> {
    .standard("in", path, .listedChoice, party)
  }

  func entityKey<Part: EntityPart>() -> YAMLKey<Part> {
    .required("entity", \.entity, .text).checked { (part, mapping) throws(YAMLError) in
      guard entities.contains(where: { $0.name == part.entity }) else {
        let names = entities.map(\.name).joined(separator: ", ")
        throw mapping.error(
          "entity",
          "\(part.entity) is not known; use \(names.isEmpty ? "an entity under entities" : "one of " + names)")
      }
    }
  }

  /// Returns the entity of a part whose key `entity` has been read.
  private func entity(of part: some EntityPart) -> PublishedTable.Entity {
    entities.first { $0.name == part.entity } ?? PublishedTable.Entity(name: part.entity)
  }

  /// Returns a key for a list of names of the entity's attributes.
  func attributes<Part: EntityPart>(
    _ name: String, _ path: WritableKeyPath<Part, [String]> & Sendable, isRequired: Bool = true
  ) -> YAMLKey<Part> {
    let key: YAMLKey<Part> = isRequired ? .required(name, path, .texts) : .standard(name, path, .texts, [])
    return key.checked { (part, mapping) throws(YAMLError) in
      let entity = entity(of: part)
      for attribute in part[keyPath: path] where !entity.attributes.contains(where: { $0.name == attribute }) {
        let known = entity.attributes.map(\.name).joined(separator: ", ")
        throw mapping.error(name, "\(entity.name) has no attribute \(attribute); use one of \(known)")
      }
    }
  }

  /// Returns a key for a list of names of the entity's relationships. `isIncluded` selects the relationships that may be
  /// named, and `kind` names them in errors.
  private func relationships<Step: EntityPart>(
    _ name: String, _ path: WritableKeyPath<Step, [String]> & Sendable, _ kind: String,
    where isIncluded: @escaping @Sendable (PublishedTable.Relationship) -> Bool = { _ in true }
  ) -> YAMLKey<Step> {
    .standard(name, path, .texts, []).checked { (step, mapping) throws(YAMLError) in
      let known = entity(of: step).relationships.filter(isIncluded).map(\.name)
      for relationship in step[keyPath: path] where !known.contains(relationship) {
        throw mapping.error(
          name,
          "\(step.entity) has no \(kind) \(relationship); "
            + (known.isEmpty ? "leave it out" : "use one of \(known.joined(separator: ", "))"))
      }
    }
  }

  private static let saving = YAMLForm<PublishedStep.Saving>(
    { (mapping, key) throws(YAMLError) in
      let text = try mapping.text(key)
      if text == "once" { return .once }
      guard let unit = Int(text), (1...PublishedTableReader.countLimit).contains(unit) else {
        throw mapping.error(key, "\(text) is not a value of save; use once or a number of objects")
      }
      return .every(unit)
    })
}

// MARK: - Steps that make objects and link them

extension StepContext {
  fileprivate var insertion: [YAMLKey<PublishedStep.Insertion>] {
    [
      partyKey(\.party), entityKey(),
      .required("count", \.count, .count), .standard("save", \.saving, Self.saving, .never),
      .standard("hold", \.holds, .flag, false),
      relationships("link", \.links, "to-one relationship") { !$0.isToMany },
      .standard("decodedBytes", \.decodedByteCount, .countFrom0, 0),
    ]
  }

  fileprivate var findOrCreate: [YAMLKey<PublishedStep.FindOrCreate>] {
    [
      partyKey(\.party), entityKey(),
      .required("count", \.count, .count),
      .reading("key", isRequired: true) { (mapping, step) throws(YAMLError) in
        let key = try attribute(mapping, "key", of: step)
        guard key.distinctCount == nil, key.interval == 1 else {
          throw mapping.error(
            "key", "\(key.name) does not identify objects; use an attribute without distinct and every")
        }
        step.key = key.name
      },
      .required("page", \.pageSize, .count), .standard("save", \.saving, Self.saving, .never),
    ]
  }

  fileprivate var linking: [YAMLKey<PublishedStep.Linking>] {
    [
      partyKey(\.party), entityKey(),
      .reading("relationship", isRequired: true) { (mapping, step) throws(YAMLError) in
        let toOnes = entity(of: step).relationships.filter { !$0.isToMany }.map(\.name)
        guard !toOnes.isEmpty else {
          throw mapping.error("entity", "\(step.entity) has no to-one relationship to set")
        }
        step.relationship = try mapping.name("relationship", of: toOnes)
      },
      .standard("save", \.saving, Self.saving, .never),
    ]
  }

  fileprivate var save: [YAMLKey<PublishedStep.Save>] {
    [
      partyKey(\.party),
      .reading("levels") { (mapping, step) throws(YAMLError) in
        step.isAllTheWay = try mapping.name("levels", of: ["one", "all"]) == "all"
      },
    ]
  }

  fileprivate static let twoPhaseImport: [YAMLKey<PublishedStep.TwoPhaseImport>] = [
    .required("objects", \.objectCount, .count), .required("page", \.pageSize, .count),
    .reading("objectsPerSave", isRequired: true) { (mapping, step) throws(YAMLError) in
      let isByEntity = try mapping.text("objectsPerSave") == "entity"
      step.objectsPerSave =
        isByEntity ? nil : try mapping.integer("objectsPerSave", in: 1...PublishedTableReader.countLimit)
    },
    .required("relationshipsPerSave", \.relationshipsPerSave, .count),
  ]
}

// MARK: - Steps that fetch and change objects

extension StepContext {
  fileprivate var fetch: [YAMLKey<PublishedStep.Fetch>] {
    [
      partyKey(\.party), entityKey(), conditionKey(\.condition),
      attributes("sort", \.sortAttributes, isRequired: false),
      .standard("limit", \.limit, .countFrom0, 0), .standard("batch", \.batchSize, .countFrom0, 0),
      .standard("faults", \.returnsFaults, .flag, true), .standard("read", \.reads, .flag, false),
      relationships("follow", \.followed, "relationship"), .standard("hold", \.holds, .flag, false),
      .standard("times", \.times, .count, 1), .standard("oneBlock", \.isOneBlock, .flag, false),
      .standard("everyMilliseconds", \.intervalMilliseconds, .number(in: 0.001...1_000_000), 0),
    ]
  }

  fileprivate var change: [YAMLKey<PublishedStep.Change>] {
    [
      partyKey(\.party), entityKey(), conditionKey(\.condition),
      .standard("held", \.usesHeld, .flag, false).checked { (step, mapping) throws(YAMLError) in
        if step.usesHeld, step.condition != nil { throw mapping.error("held", "contradicts where; use one of them") }
      },
      .standard("save", \.saving, Self.saving, .never),
    ]
  }

  fileprivate var update: [YAMLKey<PublishedStep.Change>] { change + [attributes("attributes", \.attributes)] }

  fileprivate var batchRequest: [YAMLKey<PublishedStep.BatchRequest>] {
    [partyKey(\.party), entityKey(), conditionKey(\.condition)]
  }

  fileprivate var batchUpdate: [YAMLKey<PublishedStep.BatchRequest>] {
    batchRequest + [attributes("attributes", \.attributes)]
  }
}

// MARK: - Conditions

extension StepContext {
  private func attribute(
    _ mapping: YAMLMapping, _ key: String, of part: some EntityPart
  ) throws(YAMLError) -> PublishedTable.Attribute {
    let attributes = entity(of: part).attributes
    let name = try mapping.name(key, of: attributes.map(\.name))
    return attributes.first { $0.name == name } ?? PublishedTable.Attribute(name: name)
  }

  private func conditionKey<Step: EntityPart>(
    _ path: WritableKeyPath<Step, PublishedStep.Condition?> & Sendable
  ) -> YAMLKey<Step> {
    .reading("where") { (mapping, step) throws(YAMLError) in
      let mapping = try mapping.mapping("where", keys: ["attribute", "match", "length", "size", "object"])
      step[keyPath: path] = try condition(mapping, try attribute(mapping, "attribute", of: step))
    }
  }

  private func condition(
    _ mapping: YAMLMapping, _ attribute: PublishedTable.Attribute
  ) throws(YAMLError) -> PublishedStep.Condition {
    let matches = ["equal", "prefix", "page", "less", "greater"]
    let match = mapping.has("match") ? try mapping.name("match", of: matches) : "equal"
    if match == "prefix", attribute.type != .string {
      throw mapping.error(
        "match", "\(attribute.name) is not a string, and only strings have a prefix; use equal or page")
    }
    if ["less", "greater"].contains(match), [.boolean, .uuid, .binary, .transformable].contains(attribute.type) {
      throw mapping.error("match", "\(attribute.name) has no order; use equal or page")
    }
    for (key, user) in [("length", "prefix"), ("size", "page")] where mapping.has(key) && match != user {
      throw mapping.error(key, "belongs to match: \(user); leave it out")
    }
    let read: PublishedStep.Condition.Match =
      switch match {
      case "prefix": .prefix(try mapping.integer("length", in: 1...attribute.length))
      case "page": .page(try mapping.integer("size", in: 1...PublishedTableReader.countLimit))
      case "less": .less
      case "greater": .greater
      default: .equal
      }
    return PublishedStep.Condition(attribute: attribute.name, match: read, object: try choice(mapping))
  }

  private func choice(_ mapping: YAMLMapping) throws(YAMLError) -> PublishedStep.Condition.Choice {
    guard mapping.has("object") else { return .each }
    switch try mapping.text("object") {
    case "each": return .each
    case "random": return .random
    case let text:
      guard let number = Int(text), (0...PublishedTableReader.countLimit).contains(number) else {
        throw mapping.error("object", "\(text) is not known; use each, random, or the number of an object, from 0")
      }
      return .number(number)
    }
  }
}
