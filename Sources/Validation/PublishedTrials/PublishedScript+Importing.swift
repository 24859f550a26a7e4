import ContextEngine
import MachineCore

// MARK: - Steps that make objects and link them

extension PublishedScript {
  func insert(_ step: PublishedStep.Insertion, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let first = expected.nextNumber(of: step.entity)
    expected.insert(step.count, of: step.entity, in: step.party)
    let links = step.links.map { link(named: $0, of: entity) }
    let targets = links.map { _ in StepObjects() }
    let (model, held, findings, seed) = (model, held, findings, seed)
    return part(Units(count: step.count, saving: step.saving, entity: step.entity, party: step.party), on: stage) {
      range, context throws(PersistenceError) in
      if step.decodedByteCount > 0 {
        let bytes = range.count * step.decodedByteCount
        context.machine.account(Work(.recordDecoded, count: range.count, bytes: bytes))
      }
      if range.lowerBound == 0 {
        for (link, target) in zip(links, targets) {
          let known = held.objects(of: step.party).filter { $0.entity === link.target.description }
          target.objects = known.isEmpty ? Array(try context.fetch(FetchRequest(link.target.description))) : known
          if target.objects.isEmpty {
            findings.complain("there is no object of \(link.target.description.name) to link to")
          }
        }
      }
      var kept: [ManagedObject] = []
      var random = SeededRandom(seed: seed &+ UInt64(range.lowerBound), stream: "objects that are linked to")
      for number in range {
        let object = context.insert(entity.description)
        Self.setValues(of: object, entity: entity, number: first + number, model: model)
        for (link, target) in zip(links, targets) where !target.objects.isEmpty {
          object.relate(target.objects[random.below(target.objects.count)], at: link.path)
        }
        if step.holds { kept.append(object) }
      }
      if range.upperBound == step.count { for target in targets { target.objects = [] } }
      if step.holds { held.hold(kept, of: step.party) }
    }
  }

  func findOrCreate(_ step: PublishedStep.FindOrCreate, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let key = entity.attribute(step.key)
    let present = Set(expected.numbers(of: step.entity, for: step.party))
    let isKnown = counter(nil, entity: step.entity, for: step.party) != nil
    expected.findOrCreate(step.count, of: step.entity, in: step.party)
    let (model, findings) = (model, findings)
    return part(Units(count: step.count, saving: step.saving, entity: step.entity, party: step.party), on: stage) {
      range, context throws(PersistenceError) in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: step.pageSize) {
        let page = start..<min(start + step.pageSize, range.upperBound)
        let keys = page.map { model.value(of: key, number: $0) }
        var found: [Value: ManagedObject] = [:]
        let request = FetchRequest(entity.description, predicate: .isIn(key.path, keys))
        for object in try context.fetch(request) { found[object[key.path]] = object }
        findings.check(
          found.count, of: step.entity, found: isKnown ? page.count(where: present.contains) : nil,
          by: "the look-up of a page")
        for (number, value) in zip(page, keys) {
          let object = found[value] ?? context.insert(entity.description)
          Self.setValues(of: object, entity: entity, number: number, model: model)
        }
      }
    }
  }

  private static func setValues(
    of object: ManagedObject, entity: PublishedModel.Entity, number: Int, model: PublishedModel
  ) {
    for attribute in entity.attributes {
      let value = model.value(of: attribute, number: number)
      if !value.isNull { object[attribute.path] = value }
    }
  }

  /// Returns the path and the destination of a relationship, which must exist. The table's reader has checked that it
  /// does.
  func link(
    named name: String, of entity: PublishedModel.Entity
  ) -> (path: PropertyPath, target: PublishedModel.Entity) {
    guard let relationship = entity.description.relationships.first(where: { $0.name == name }) else {
      trapMisuse("entity \(entity.description.name) has no relationship \(name)")
    }
    return (entity.description.path(name), model.entity(relationship.destination))
  }

  func link(_ step: PublishedStep.Linking, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let (path, target) = link(named: step.relationship, of: entity)
    let sources = expected.numbers(of: step.entity, for: step.party).count
    let (objects, findings, seed) = (StepObjects(), findings, seed)
    return part(Units(count: sources, saving: step.saving, entity: step.entity, party: step.party), on: stage) {
      range, context throws(PersistenceError) in
      if range.lowerBound == 0 {
        objects.objects = Array(try context.fetch(FetchRequest(entity.description)))
        objects.targets = Array(try context.fetch(FetchRequest(target.description)))
        findings.check(objects.objects.count, of: step.entity, found: sources, by: "a step that links")
        if objects.targets.isEmpty {
          findings.complain("there is no object of \(target.description.name) to link to")
        }
      }
      var random = SeededRandom(seed: seed &+ UInt64(range.lowerBound), stream: "objects that are linked to")
      for place in range where place < objects.objects.count && !objects.targets.isEmpty {
        objects.objects[place].relate(objects.targets[random.below(objects.targets.count)], at: path)
      }
      if range.upperBound == sources { (objects.objects, objects.targets) = ([], []) }
    }
  }

  func save(_ step: PublishedStep.Save, on stage: PublishedStage) -> [ScriptPart] {
    noteSave(of: step.party, stage, isAllTheWay: step.isAllTheWay)
    var contexts = [stage.context(of: step.party)]
    while step.isAllTheWay, let parent = contexts[contexts.count - 1].parent { contexts.append(parent) }
    return contexts.map { context in
      ScriptPart(context: context, isImport: step.party == .importing) { _ throws(PersistenceError) in
        try context.save()
        return false
      }
    }
  }
}
