import ContextEngine

/// A model for tests of transient attributes. Its entity is Car, whose speed is kept in memory only.
package enum Garage {
  package static let model = make()

  /// Creates the model with these callbacks of a car.
  package static func make(callbacks: EntityCallbacks = EntityCallbacks()) -> ManagedObjectModel {
    ManagedObjectModel([
      .init(
        "Car",
        attributes: [
          .init("plate", .string),
          .init("speed", .integer64, isOptional: false, defaultValue: .integer(0), isTransient: true),
          .init("maker", .string),
        ], callbacks: callbacks)
    ])
  }

  package static let car = model.entity("Car")
  package static let plate = car.path("plate")
  package static let speed = car.path("speed")
}
