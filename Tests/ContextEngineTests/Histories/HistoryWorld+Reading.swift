import ContextEngine
import TestSupport

// MARK: - Objects and dictionaries

extension HistoryWorld {
  /// Carries out a fetch or a count with a value, a sort order and a limit, and compares it with the plain objects.
  func ask(_ place: Place, _ step: HistoryStep) throws -> String? {
    let entity = Chronicle.model.entities[step.second % Chronicle.model.entities.count]
    let attributes = entity.attributes.filter { $0.name != "number" && ![.decimal, .transformable].contains($0.type) }
    let attribute = attributes[step.third % attributes.count]
    let value = Self.value(of: attribute.type, step.fourth)
    var request = FetchRequest(
      entity, predicate: .equal(entity.path(attribute.name), value),
      sortDescriptors: [FetchSortDescriptor(Self.numberPath(entity), isAscending: step.first % 2 == 0)])
    request.includesSubentities = step.third % 3 > 0
    request.fetchBatchSize = step.third % 4 == 0 ? 2 : 0
    request.fetchLimit = step.kind == .fetch && step.third % 5 == 0 ? 2 : 0
    request.fetchOffset = step.third % 7 == 0 ? 1 : 0
    request.returnsObjectsAsFaults = step.third % 11 > 0
    if step.third % 13 == 0 { request.propertiesToFetch = [entity.path(attribute.name)] }
    if step.third % 3 == 1 {
      request.relationshipKeyPathsForPrefetching = entity.relationships.map { PropertyKeyPath(entity.path($0.name)) }
    }
    var expected = place.level.view.filter { _, object in
      (request.includesSubentities ? object.entity.isKind(of: entity) : object.entity === entity)
        && object.data[attribute.name] == .value(value)
    }.keys.sorted()
    if step.first % 2 == 1 { expected.reverse() }
    // Requests below a context ignore their offset.
    if place.context.parent == nil { expected = Array(expected.dropFirst(request.fetchOffset)) }
    if request.fetchLimit > 0 { expected = Array(expected.prefix(request.fetchLimit)) }
    let isAsynchronous = step.kind == .fetch && step.fourth % 4 == 0
    let found =
      isAsynchronous ? try fetchLater(request, place) : try count(orFetch: request, place, counts: step.kind == .count)
    if step.kind == .count ? found != [expected.count] : found != expected {
      throw HistoryFailure(sentence: "\(place.context.name): \(step.kind) brings \(found) instead of \(expected)")
    }
    return "\(step.kind) \(entity.name) where \(attribute.name) is \(value)\(isAsynchronous ? ", later" : "")"
  }

  private func count(orFetch request: FetchRequest, _ place: Place, counts: Bool) throws -> [Int] {
    try place.context.performAndWait {
      counts ? [try place.context.count(for: request)] : try place.context.fetch(request).map(Self.number)
    }
  }

  /// Returns the numbers of the objects that an asynchronous fetch finds.
  private func fetchLater(_ request: FetchRequest, _ place: Place) throws -> [Int] {
    let results = Journal<Result<[Int], PersistenceError>>()
    _ = try place.context.performAndWait {
      try place.context.execute(
        AsynchronousFetchRequest(request) { result in
          let numbers = result.finalResult.map { $0.map(Self.number) }
          results.write(result.operationError.map(Result.failure) ?? .success(numbers ?? []))
        })
    }
    var line = [place.context]
    while let parent = line[line.count - 1].parent { line.append(parent) }
    // The request moves up from queue to queue, and the objects move back down.
    for context in line { drain(context) }
    stack.coordinator.fetchQueue.sync {}
    for context in line.reversed() { drain(context) }
    guard let result = results.entries.first, results.count == 1 else {
      throw HistoryFailure(sentence: "\(place.context.name): a fetch in the background ends \(results.count) times")
    }
    return try result.get()
  }

  /// Fetches values of the objects of an entity, or the number of objects that share a value, and compares them with
  /// the plain store, because dictionaries do not include unsaved objects.
  func askForDictionaries(_ place: Place, _ step: HistoryStep) throws -> String? {
    let entity = Chronicle.model.entities[step.second % Chronicle.model.entities.count]
    let attributes = entity.attributes.filter { ![.decimal, .transformable].contains($0.type) && $0.name != "number" }
    let attribute = attributes[step.third % attributes.count]
    var request = FetchRequest(entity)
    request.includesSubentities = step.third % 3 > 0
    let values = storeLevel.objects.filter { _, object in
      request.includesSubentities ? object.entity.isKind(of: entity) : object.entity === entity
    }.sorted { $0.key < $1.key }.map { (number: Int64($0.key), value: $0.value.data[attribute.name]) }
    let isGrouped = step.fourth % 2 == 0
    var expected: [String]
    if isGrouped {
      request.propertiesToFetch = [entity.path(attribute.name)]
      request.propertiesToGroupBy = [PropertyKeyPath(entity.path(attribute.name))]
      request.expressionsToFetch = [.count("count")]
      let groups = Dictionary(grouping: values) { "\($0.value.map { "\($0)" } ?? "")" }
      expected = groups.map { "\($0), \(Datum.value(.integer(Int64($1.count))))" }
    } else {
      request.propertiesToFetch = [entity.path(attribute.name), entity.path("number")]
      expected = values.map { "\($0.value.map { "\($0)" } ?? ""), \(Datum.value(.integer($0.number)))" }
    }
    expected.sort()
    let found = try place.context.performAndWait {
      try place.context.fetchDictionaries(request).map { dictionary in
        dictionary.values.map { "\(Datum.value($0))" }.joined(separator: ", ")
      }
    }
    if found.sorted() != expected {
      throw HistoryFailure(sentence: "\(place.context.name) finds the dictionaries \(found) instead of \(expected)")
    }
    return "dictionaries of \(entity.name)'s \(attribute.name)\(isGrouped ? ", grouped" : "")"
  }
}
