import ContextEngine
import MachineCore

/// The rows that computations take as their input.
///
/// They are the rows of an entity that is added to the model of the workload. No payload writes them and no list shows
/// them, so the check of the workload's data is the same with and without them.
package struct ComputationInputs: Sendable {
  /// The number of inputs of one computation.
  static let countPerComputation = 3
  /// The largest number of computations in a trial. Each has inputs that no other computation uses.
  static let largestComputationCount = 200

  package static let entityName = "ComputationInput"

  /// The declaration of the entity.
  static let declaration = ManagedObjectModel.Declaration(
    entityName,
    attributes: [
      AttributeDescription("number", .integer64, isOptional: false, isIndexed: true),
      AttributeDescription("amount", .integer64, isOptional: false),
      AttributeDescription("result", .integer64),
    ])

  let entity: EntityDescription
  let number: PropertyPath
  let amount: PropertyPath
  let result: PropertyPath

  /// Creates the inputs of a model that contains the entity.
  init(_ model: ManagedObjectModel) {
    entity = model.entity(Self.entityName)
    number = entity.path("number")
    amount = entity.path("amount")
    result = entity.path("result")
  }

  /// Returns the numbers of a computation's inputs.
  static func numbers(of computation: Int) -> Range<Int64> {
    let first = Int64(computation * countPerComputation)
    return first..<first + Int64(countPerComputation)
  }

  /// Returns the amount that an input has in the base store.
  static func amount(ofInput number: Int64) -> Int64 { number * 37 % 101 + 1 }

  /// Returns a request for the inputs of a computation, in the order of their numbers.
  func request(for computation: Int) -> FetchRequest {
    let numbers = Self.numbers(of: computation).map { Value.integer($0) }
    return FetchRequest(entity, predicate: .isIn(number, numbers), sortDescriptors: [FetchSortDescriptor(number)])
  }

  /// Makes all inputs in a context. Call it on the context's queue. It does not save.
  func insert(into context: ManagedObjectContext) {
    for input in 0..<Int64(Self.largestComputationCount * Self.countPerComputation) {
      let object = context.insert(entity)
      object[number] = .integer(input)
      object[amount] = .integer(Self.amount(ofInput: input))
    }
  }
}
