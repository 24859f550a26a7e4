import Harness
import InputFiles
import MachineSimulated

/// The parts of a row that are needed to read its steps.
struct StepContext {
  var entities: [PublishedTable.Entity]
  /// The context of steps that do not name a context.
  var party: PublishedTable.Party
}

// MARK: - Steps

extension PublishedTableReader {
  private static let actionKeys = [
    "insert", "findOrCreate", "fetch", "update", "delete", "batchUpdate", "batchDelete", "link", "save", "reset",
    "release", "reopen", "together", "importInTwoPhases",
  ]
  static let stepKeys = ["name"] + actionKeys

  func step(_ mapping: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedStep {
    let actions = mapping.keys.filter { $0 != "name" }
    guard actions.count == 1 else {
      let message = actions.isEmpty ? "no step" : "several steps in one entry"
      throw YAMLError(
        .invalidValue, "\(message); use one of \(Self.actionKeys.joined(separator: ", "))", place: place,
        line: mapping.line, key: String(mapping.path.dropLast()))
    }
    return PublishedStep(
      name: mapping.has("name") ? try mapping.text("name") : nil, action: try action(actions[0], mapping, context))
  }

  private func action(
    _ key: String, _ mapping: YAMLMapping, _ context: StepContext
  ) throws(YAMLError) -> PublishedStep.Action {
    switch key {
    case "insert": .insert(try insertion(mapping, context))
    case "findOrCreate": .findOrCreate(try findOrCreate(mapping, context))
    case "fetch": .fetch(try fetch(mapping, context))
    case "update": .update(try change(mapping, key, context))
    case "delete": .delete(try change(mapping, key, context))
    case "batchUpdate": .batchUpdate(try batchRequest(mapping, key, context))
    case "batchDelete": .batchDelete(try batchRequest(mapping, key, context))
    case "link": .link(try linking(mapping, context))
    case "save": .save(try save(mapping, context))
    case "reset": .reset(try party(try mapping.mapping(key, keys: ["in"]), context))
    case "release": .release(try party(try mapping.mapping(key, keys: ["in"]), context))
    case "reopen": try reopening(mapping)
    case "together": try together(mapping, context)
    default: .importInTwoPhases(try twoPhaseImport(mapping))
    }
  }

  private func reopening(_ mapping: YAMLMapping) throws(YAMLError) -> PublishedStep.Action {
    _ = try mapping.mapping("reopen", keys: [])
    return .reopen
  }

  private func together(_ mapping: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedStep.Action {
    let lists = try mapping.mapping("together", keys: ["import", "ui"])
    return .together(
      importing: try steps(lists, "import", StepContext(entities: context.entities, party: .importing)),
      ui: try steps(lists, "ui", StepContext(entities: context.entities, party: .ui)))
  }

  /// Reads the steps that one of two concurrent contexts runs. A step must work in a single context.
  private func steps(
    _ mapping: YAMLMapping, _ key: String, _ context: StepContext
  ) throws(YAMLError) -> [PublishedStep] {
    let fitting = Self.stepKeys.filter { !["reopen", "together", "importInTwoPhases"].contains($0) }
    var steps: [PublishedStep] = []
    for step in try mapping.mappings(key, keys: fitting) { steps.append(try self.step(step, context)) }
    return steps
  }

  private func party(_ mapping: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedTable.Party {
    mapping.has("in") ? try mapping.choice("in", of: PublishedTable.Party.self) : context.party
  }

  private func saving(_ mapping: YAMLMapping) throws(YAMLError) -> PublishedStep.Saving {
    guard mapping.has("save") else { return .never }
    if try mapping.text("save") == "once" { return .once }
    guard let unit = Int(try mapping.text("save")), (1...Self.countLimit).contains(unit) else {
      throw mapping.error("save", "\(try mapping.text("save")) is not a value of save; use once or a number of objects")
    }
    return .every(unit)
  }

  private func flag(_ mapping: YAMLMapping, _ key: String, default standard: Bool = false) throws(YAMLError) -> Bool {
    mapping.has(key) ? try mapping.boolean(key) : standard
  }

  private func count(_ mapping: YAMLMapping, _ key: String, default standard: Int) throws(YAMLError) -> Int {
    mapping.has(key) ? try mapping.integer(key, in: 0...Self.countLimit) : standard
  }
}

// MARK: - Steps that make objects and link them

extension PublishedTableReader {
  private func insertion(
    _ step: YAMLMapping, _ context: StepContext
  ) throws(YAMLError) -> PublishedStep.Insertion {
    let mapping = try step.mapping("insert", keys: ["in", "entity", "count", "save", "hold", "link", "decodedBytes"])
    let entity = try mapping.entity(context.entities)
    return PublishedStep.Insertion(
      party: try party(mapping, context), entity: entity.name,
      count: try mapping.integer("count", in: 1...Self.countLimit), saving: try saving(mapping),
      holds: try flag(mapping, "hold"),
      links: try relationships(mapping, "link", of: entity, "to-one relationship") { !$0.isToMany },
      decodedByteCount: try count(mapping, "decodedBytes", default: 0))
  }

  /// Reads a list of names of an entity's relationships, which is empty if the key is missing. `isIncluded` selects the
  /// relationships that may be named, and `kind` names them in errors.
  private func relationships(
    _ mapping: YAMLMapping, _ key: String, of entity: PublishedTable.Entity, _ kind: String,
    where isIncluded: (PublishedTable.Relationship) -> Bool = { _ in true }
  ) throws(YAMLError) -> [String] {
    guard mapping.has(key) else { return [] }
    let known = entity.relationships.filter(isIncluded).map(\.name)
    let names = try mapping.texts(key)
    for name in names where !known.contains(name) {
      throw mapping.error(
        key,
        "\(entity.name) has no \(kind) \(name); "
          + (known.isEmpty ? "leave it out" : "use one of \(known.joined(separator: ", "))"))
    }
    return names
  }

  private func findOrCreate(
    _ step: YAMLMapping, _ context: StepContext
  ) throws(YAMLError) -> PublishedStep.FindOrCreate {
    let mapping = try step.mapping("findOrCreate", keys: ["in", "entity", "count", "key", "page", "save"])
    let entity = try mapping.entity(context.entities)
    let key = try attribute(mapping, "key", of: entity)
    guard key.distinctCount == nil, key.interval == 1 else {
      throw mapping.error("key", "\(key.name) does not identify objects; use an attribute without distinct and every")
    }
    return PublishedStep.FindOrCreate(
      party: try party(mapping, context), entity: entity.name,
      count: try mapping.integer("count", in: 1...Self.countLimit), key: key.name,
      pageSize: try mapping.integer("page", in: 1...Self.countLimit), saving: try saving(mapping))
  }

  private func linking(_ step: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedStep.Linking {
    let mapping = try step.mapping("link", keys: ["in", "entity", "relationship", "save"])
    let entity = try mapping.entity(context.entities)
    let toOnes = entity.relationships.filter { !$0.isToMany }.map(\.name)
    guard !toOnes.isEmpty else { throw mapping.error("entity", "\(entity.name) has no to-one relationship to set") }
    return PublishedStep.Linking(
      party: try party(mapping, context), entity: entity.name,
      relationship: try mapping.name("relationship", of: toOnes), saving: try saving(mapping))
  }

  private func save(_ step: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedStep.Save {
    let mapping = try step.mapping("save", keys: ["in", "levels"])
    return PublishedStep.Save(
      party: try party(mapping, context),
      isAllTheWay: mapping.has("levels") ? try mapping.name("levels", of: ["one", "all"]) == "all" : false)
  }

  private func twoPhaseImport(_ step: YAMLMapping) throws(YAMLError) -> PublishedStep.TwoPhaseImport {
    let mapping = try step.mapping(
      "importInTwoPhases", keys: ["objects", "page", "objectsPerSave", "relationshipsPerSave"])
    let isByEntity = try mapping.text("objectsPerSave") == "entity"
    return PublishedStep.TwoPhaseImport(
      objectCount: try mapping.integer("objects", in: 1...Self.countLimit),
      pageSize: try mapping.integer("page", in: 1...Self.countLimit),
      objectsPerSave: isByEntity ? nil : try mapping.integer("objectsPerSave", in: 1...Self.countLimit),
      relationshipsPerSave: try mapping.integer("relationshipsPerSave", in: 1...Self.countLimit))
  }
}

// MARK: - Steps that fetch and change objects

extension PublishedTableReader {
  private func fetch(_ step: YAMLMapping, _ context: StepContext) throws(YAMLError) -> PublishedStep.Fetch {
    let mapping = try step.mapping(
      "fetch",
      keys: [
        "in", "entity", "where", "sort", "limit", "batch", "faults", "read", "follow", "hold", "times", "oneBlock",
        "everyMilliseconds",
      ])
    let entity = try mapping.entity(context.entities)
    var fetch = PublishedStep.Fetch(party: try party(mapping, context), entity: entity.name)
    fetch.condition = try condition(mapping, entity)
    if mapping.has("sort") { fetch.sortAttributes = try mapping.attributes("sort", of: entity) }
    fetch.limit = try count(mapping, "limit", default: 0)
    fetch.batchSize = try count(mapping, "batch", default: 0)
    fetch.returnsFaults = try flag(mapping, "faults", default: true)
    fetch.reads = try flag(mapping, "read")
    fetch.followed = try relationships(mapping, "follow", of: entity, "relationship")
    fetch.holds = try flag(mapping, "hold")
    if mapping.has("times") { fetch.times = try mapping.integer("times", in: 1...Self.countLimit) }
    fetch.isOneBlock = try flag(mapping, "oneBlock")
    if mapping.has("everyMilliseconds") {
      fetch.intervalMilliseconds = try mapping.number("everyMilliseconds", in: 0.001...1_000_000)
    }
    return fetch
  }

  private func change(
    _ step: YAMLMapping, _ key: String, _ context: StepContext
  ) throws(YAMLError) -> PublishedStep.Change {
    let mapping = try step.mapping(
      key, keys: ["in", "entity", "where", "held", "save"] + (key == "update" ? ["attributes"] : []))
    let entity = try mapping.entity(context.entities)
    let condition = try condition(mapping, entity)
    let usesHeld = try flag(mapping, "held")
    if usesHeld, condition != nil { throw mapping.error("held", "contradicts where; use one of them") }
    return PublishedStep.Change(
      party: try party(mapping, context), entity: entity.name,
      attributes: key == "update" ? try mapping.attributes("attributes", of: entity) : [], condition: condition,
      usesHeld: usesHeld, saving: try saving(mapping))
  }

  private func batchRequest(
    _ step: YAMLMapping, _ key: String, _ context: StepContext
  ) throws(YAMLError) -> PublishedStep.BatchRequest {
    let isUpdate = key == "batchUpdate"
    let mapping = try step.mapping(key, keys: ["in", "entity", "where"] + (isUpdate ? ["attributes"] : []))
    let entity = try mapping.entity(context.entities)
    return PublishedStep.BatchRequest(
      party: try party(mapping, context), entity: entity.name,
      attributes: isUpdate ? try mapping.attributes("attributes", of: entity) : [],
      condition: try condition(mapping, entity))
  }

  private func attribute(
    _ mapping: YAMLMapping, _ key: String, of entity: PublishedTable.Entity
  ) throws(YAMLError) -> PublishedTable.Attribute {
    let name = try mapping.name(key, of: entity.attributes.map(\.name))
    guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
      throw mapping.error(key, "\(entity.name) has no attribute \(name)")
    }
    return attribute
  }

  private func condition(
    _ step: YAMLMapping, _ entity: PublishedTable.Entity
  ) throws(YAMLError) -> PublishedStep.Condition? {
    guard step.has("where") else { return nil }
    let mapping = try step.mapping("where", keys: ["attribute", "match", "length", "size", "object"])
    let attribute = try attribute(mapping, "attribute", of: entity)
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
      case "page": .page(try mapping.integer("size", in: 1...Self.countLimit))
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
      guard let number = Int(text), (0...Self.countLimit).contains(number) else {
        throw mapping.error("object", "\(text) is not known; use each, random, or the number of an object, from 0")
      }
      return .number(number)
    }
  }
}
