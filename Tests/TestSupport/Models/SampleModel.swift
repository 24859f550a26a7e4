import ContextEngine
import Foundation

/// The model of the store that Core Data wrote, for tests that open it. Its entities are Car, SportCar,
/// ExpensiveSportCar and Person, as their model file declares them.
package enum SampleModel {
  package static let model = make()

  /// The hashes that Core Data computed of the entities, as the sample's metadata have them.
  package static let versionHashes: [String: [UInt8]] = [
    "Car": [
      0x9e, 0x55, 0x55, 0x29, 0x07, 0x21, 0x58, 0x22, 0x0d, 0x1b, 0xac, 0xd2, 0xf8, 0x0a, 0x3d, 0xad, 0x49, 0x19, 0xf7,
      0x4a, 0x32, 0xaa, 0x8b, 0xe9, 0xee, 0x22, 0xa6, 0xa7, 0xb4, 0x12, 0x6c, 0x8f,
    ]
  ]

  /// Creates the model of the sample store. The arguments make it differ from the model that wrote the store.
  ///
  /// - Parameters:
  ///   - superentityOfExpensive: The superentity of the entity `ExpensiveSportCar`.
  ///   - further: The attributes of a car that the store does not have.
  ///   - versionHash: The hash that the model declares for a car, or nil to compute it.
  /// - Returns: The model.
  package static func make(
    superentityOfExpensive: String = "SportCar", further: [AttributeDescription] = [], versionHash: Data? = nil
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      [
        .init(
          "Car",
          attributes: [
            .init("color", .transformable, valueTransformer: ColorTransformer()),
            .init("currentDrivingSpeed", .integer64, defaultValue: .integer(0), isTransient: true),
            .init("maker", .string), .init("markedForDeletionAsOf", .date), .init("model", .string),
            .init("numberPlate", .string, isOptional: false),
          ] + further,
          relationships: [.init("owner", to: "Person", inverse: "cars")],
          uniquenessConstraints: [["numberPlate"]], versionHash: versionHash),
        .init(
          "ExpensiveSportCar", attributes: [.init("isLimitedEdition", .boolean, defaultValue: .boolean(false))],
          superentity: superentityOfExpensive),
        .init(
          "Person",
          attributes: [
            .init("firstName", .string), .init("id", .uuid, isOptional: false),
            .init("isDriving", .boolean, isOptional: false, defaultValue: .boolean(false), isTransient: true),
            .init("lastName", .string), .init("updatedAt", .date, isOptional: false),
          ],
          relationships: [.init("cars", to: "Car", inverse: "owner", isToMany: true)],
          uniquenessConstraints: [["firstName", "lastName"]]),
        .init("SportCar", attributes: [], superentity: "Car"),
      ], versionIdentifiers: ["1"])
  }

  package static let car = model.entity("Car")
  package static let sportCar = model.entity("SportCar")
  package static let expensiveSportCar = model.entity("ExpensiveSportCar")
  package static let person = model.entity("Person")

  /// A transformer that returns the stored bytes. The sample has no colours.
  private struct ColorTransformer: ValueTransformer {
    let name = "ColorTransformer"

    func transformedValue(_ value: any Hashable & Sendable) -> Data? { value as? Data }
    func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { data }
  }
}
