import ContextEngine
import MachineCore

// MARK: - Steps that fetch

extension PublishedScript {
  func fetch(_ step: PublishedStep.Fetch, on stage: PublishedStage) -> ScriptPart {
    let entity = model.entity(step.entity)
    var request = FetchRequest(
      entity.description, sortDescriptors: step.sortAttributes.map { FetchSortDescriptor(entity.attribute($0).path) })
    request.fetchLimit = step.limit
    request.fetchBatchSize = step.batchSize
    request.returnsObjectsAsFaults = step.returnsFaults
    let fetch = ScriptFetch(
      step: step, entity: entity, followed: step.followed.map { link(named: $0, of: entity) }, request: request,
      model: model, held: held, findings: findings,
      objects: chooser(step.condition, entity: step.entity, for: step.party),
      expectedCount: counter(step.condition, entity: step.entity, for: step.party))
    let interval = TimeSpan(nanoseconds: Int64((step.intervalMilliseconds * 1_000_000).rounded()))
    return part(step.party, on: stage, interval: interval) { block, context throws(PersistenceError) in
      for place in step.isOneBlock ? 0..<step.times : block..<block + 1 { try fetch.run(place, in: context) }
      return !step.isOneBlock && block + 1 < step.times
    }
  }
}

/// A fetch of a step, which may be made repeatedly.
private struct ScriptFetch: Sendable {
  let step: PublishedStep.Fetch
  let entity: PublishedModel.Entity
  /// The relationships that are read.
  let followed: [(path: PropertyPath, target: PublishedModel.Entity)]
  let request: FetchRequest
  let model: PublishedModel
  let held: HeldObjects
  let findings: ScriptFindings
  let objects: @Sendable (_ place: Int) -> [Int]
  let expectedCount: (@Sendable ([Int]) -> Int)?

  func run(_ place: Int, in context: ManagedObjectContext) throws(PersistenceError) {
    var request = request
    let chosen = objects(place)
    if let condition = step.condition { request.predicate = model.predicate(condition, of: entity, objects: chosen) }
    let found = try context.fetch(request)
    let expected = expectedCount.map { step.limit > 0 ? min($0(chosen), step.limit) : $0(chosen) }
    findings.check(found.count, of: step.entity, found: expected, by: "fetch \(place + 1)")
    if step.reads, let first = entity.attributes.first {
      for object in found { _ = object[first.path] }
    }
    for (path, target) in followed {
      guard let first = target.attributes.first else { continue }
      for object in found {
        let related = path.kind == .toOne ? [object.related(path)].compactMap(\.self) : object.relatedObjects(path)
        for other in related { _ = other[first.path] }
      }
    }
    if step.holds { held.hold(Array(found), of: step.party) }
  }
}
