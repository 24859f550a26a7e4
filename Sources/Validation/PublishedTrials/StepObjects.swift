import ContextEngine

/// The objects that the blocks of one step work on, one after the other.
// `@unchecked Sendable`: touched in the blocks of one context only.
final class StepObjects: @unchecked Sendable {
  var objects: [ManagedObject] = []
  var targets: [ManagedObject] = []
}
