import ContextEngine

/// The engine as its users call it, on real threads.
package struct EngineContender: Contender {
  package let subject = Subject.stackbench

  package init() {}

  package func perform(_ assignment: Assignment) async throws -> Sample {
    let stack = try EngineStack(assignment)
    let run = EngineRun(stack: stack, assignment: assignment)
    let sample = try run.sample()
    try stack.close()
    return sample
  }
}

/// One case on one stack.
struct EngineRun: CaseRun {
  let subject = Subject.stackbench
  let stack: EngineStack
  let assignment: Assignment
  let stopwatch: Stopwatch
  let paths: ItemPaths

  init(stack: EngineStack, assignment: Assignment) {
    self.stack = stack
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
    paths = assignment.benchmark.startingStore == .half ? ItemModel.keyed : ItemModel.plain
  }

  var items: [Item] { assignment.items.items }

  /// Returns all objects with their values, for as long as the result is held.
  func realisedObjects(in context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.performAndWait {
      var request = FetchRequest(paths.entity)
      request.returnsObjectsAsFaults = false
      return Array(try context.fetch(request))
    }
  }
}
