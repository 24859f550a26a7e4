import ContextEngine

/// The model for tests of topologies, which import and list its objects. Its entities are Supplier and Product.
package enum Catalogue {
  package static let model = ManagedObjectModel([
    .init(
      "Supplier",
      attributes: [.init("remoteID", .integer64), .init("name", .string), .init("note", .string)],
      relationships: [.init("products", to: "Product", inverse: "supplier", isToMany: true)]),
    .init(
      "Product",
      attributes: [
        .init("remoteID", .integer64), .init("name", .string), .init("weight", .integer64), .init("note", .string),
      ],
      relationships: [.init("supplier", to: "Supplier", inverse: "products")]),
  ])
}

package enum Supplier {
  package static let entity = Catalogue.model.entity("Supplier")
  package static let remoteID = entity.path("remoteID")
  package static let name = entity.path("name")
  package static let note = entity.path("note")
}

package enum Product {
  package static let entity = Catalogue.model.entity("Product")
  package static let remoteID = entity.path("remoteID")
  package static let name = entity.path("name")
  package static let weight = entity.path("weight")
  package static let note = entity.path("note")

  /// Returns a name, whose order does not depend on the order of the keys. All names below 10,007 are different.
  package static func name(of id: Int) -> String { "product \(id * 7919 % 10_007)" }
}
