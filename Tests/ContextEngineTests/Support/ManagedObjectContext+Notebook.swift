import ContextEngine
import TestSupport
import Testing

extension ManagedObjectContext {
  /// Expects that the object of a name has these members in a relationship, in this order.
  func expect(
    _ name: String, _ entity: EntityDescription, leadsTo names: [String], by path: PropertyPath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try named(name, entity).names(path) == names, "\(self.name)", sourceLocation: sourceLocation)
  }
}
