import ContextEngine
import MachineCore

// MARK: - Steps that change and delete objects

extension PublishedScript {
  func update(_ step: PublishedStep.Change, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let attributes = step.attributes.map { name in
      (entity.attribute(name), expected.nextGeneration(of: name, step.entity))
    }
    let model = model
    defer { expected.update(step.attributes, of: step.entity) }
    return change(step, on: stage) { object, place, _ in
      for (attribute, generation) in attributes {
        object[attribute.path] = model.value(of: attribute, number: place, generation: generation)
      }
    }
  }

  func delete(_ step: PublishedStep.Change, on stage: PublishedStage) -> ScriptPart {
    let objects = chooser(step.condition, entity: step.entity, for: step.party)(0)
    return change(
      step, on: stage,
      willSave: { [self] in
        if step.usesHeld {
          expected.forget(step.entity)
        } else {
          expected.delete(
            ExpectedRows.Deletion(
              entity: step.entity, condition: step.condition, objects: objects, cascades: cascades(of: step.entity)),
            in: step.party)
        }
      }
    ) { object, _, context in context.delete(object) }
  }

  /// Returns the entities whose objects a deletion of objects of this one may delete, too.
  private func cascades(of entity: String) -> [String] {
    model.entity(entity).description.relationships.filter { $0.deleteRule == .cascade }.map(\.destination)
  }

  /// Returns blocks that change objects one by one. `willSave` notes what the step does to the expected rows, before
  /// they are saved.
  private func change(
    _ step: PublishedStep.Change, on stage: PublishedStage, willSave: () -> Void = {},
    body: @escaping @Sendable (ManagedObject, _ place: Int, ManagedObjectContext) -> Void
  ) -> ScriptPart {
    let entity = model.entity(step.entity)
    let chosen = chooser(step.condition, entity: step.entity, for: step.party)(0)
    let count = step.usesHeld ? nil : counter(step.condition, entity: step.entity, for: step.party)?(chosen)
    willSave()
    let saves = step.saving != .never
    if saves { noteSave(of: step.party, stage) }
    var request = FetchRequest(entity.description)
    if let condition = step.condition { request.predicate = model.predicate(condition, of: entity, objects: chosen) }
    let finished = finishPayload(of: saves ? step.party : nil, entity: step.entity, on: stage)
    let (objects, held, findings, prepared) = (StepObjects(), held, findings, request)
    return part(step.party, on: stage) { block, context throws(PersistenceError) in
      if block == 0 {
        objects.objects =
          step.usesHeld
          ? held.objects(of: step.party).filter { $0.entity === entity.description }
          : Array(try context.fetch(prepared))
        findings.check(objects.objects.count, of: step.entity, found: count, by: "a step that changes objects")
      }
      let unit = step.saving.unit(of: objects.objects.count)
      let first = block * unit
      let last = min(first + unit, objects.objects.count)
      for place in first..<max(first, last) { body(objects.objects[place], place, context) }
      if saves { try context.save() }
      if last < objects.objects.count { return true }
      objects.objects = []
      finished()
      return false
    }
  }
}

// MARK: - Batch requests

extension PublishedScript {
  func batchUpdate(_ step: PublishedStep.BatchRequest, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let chosen = chooser(step.condition, entity: step.entity, for: step.party)(0)
    let count = counter(step.condition, entity: step.entity, for: step.party)?(chosen)
    let values = step.attributes.map { name in
      let attribute = entity.attribute(name)
      let generation = expected.nextGeneration(of: name, step.entity)
      return (attribute.path, UpdateExpression.constant(model.value(of: attribute, number: 0, generation: generation)))
    }
    expected.update(step.attributes, of: step.entity)
    var request = BatchUpdateRequest(
      entity.description, predicate: step.condition.map { model.predicate($0, of: entity, objects: chosen) },
      propertiesToUpdate: Dictionary(uniqueKeysWithValues: values))
    request.resultType = .count
    let (prepared, findings) = (request, findings)
    return part(step.party, on: stage) { _, context throws(PersistenceError) in
      let changed = try context.execute(prepared).count ?? 0
      findings.check(changed, of: step.entity, found: count, by: "a batch update")
      return false
    }
  }

  func batchDelete(_ step: PublishedStep.BatchRequest, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    let chosen = chooser(step.condition, entity: step.entity, for: step.party)(0)
    let count = counter(step.condition, entity: step.entity, for: step.party)?(chosen)
    let cascades = cascades(of: step.entity)
    expected.delete(
      ExpectedRows.Deletion(entity: step.entity, condition: step.condition, objects: chosen, cascades: cascades),
      in: step.party)
    expected.save(step.party)
    var request = BatchDeleteRequest(
      FetchRequest(
        entity.description, predicate: step.condition.map { model.predicate($0, of: entity, objects: chosen) }))
    request.resultType = .count
    let (prepared, findings) = (request, findings)
    // A cascade counts among the deleted rows.
    let countedRows = cascades.isEmpty ? count : nil
    return part(step.party, on: stage) { _, context throws(PersistenceError) in
      let deleted = try context.execute(prepared).count ?? 0
      findings.check(deleted, of: step.entity, found: countedRows, by: "a batch deletion")
      return false
    }
  }
}
