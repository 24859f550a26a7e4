// The generated workloads: their models, and the import into them.

extension WorkloadSchema {
  /// Suppliers, their products, and the products' prices.
  package static let catalog = WorkloadSchema(
    filling: [
      Generated(
        "Supplier", [("city", .string), ("updatedAt", .date)],
        [.toMany("products", of: "Product", inverse: "supplier")], shown: "updatedAt"),
      Generated(
        "Product", [("detail", .string), ("weight", .double), ("createdAt", .date), ("updatedAt", .date)],
        [
          .toOne("supplier", of: "Supplier", inverse: "products"),
          .toMany("prices", of: "Price", inverse: "product", deletionRule: .cascade),
        ], shown: "weight"),
      Generated(
        "Price", [("amount", .double), ("currency", .string), ("validFrom", .date)],
        [.toOne("product", of: "Product", inverse: "prices")], shown: "amount"),
    ])

  /// One entity without relationships.
  package static let flat = WorkloadSchema(filling: [Generated("Item", [("amount", .double)], shown: "amount")])

  /// Genres, labels, artists, albums and tracks. With two thirds of the objects being tracks, there are about two links
  /// per object.
  package static let music = WorkloadSchema(
    filling: [
      Generated(
        "Genre", [("updatedAt", .date)],
        [.toMany("artists", of: "Artist", inverse: "genre"), .toMany("albums", of: "Album", inverse: "genre")]),
      Generated(
        "Label", [("city", .string), ("updatedAt", .date)],
        [.toMany("artists", of: "Artist", inverse: "label"), .toMany("albums", of: "Album", inverse: "label")]),
      Generated(
        "Artist", [("detail", .string), ("createdAt", .date), ("updatedAt", .date)],
        [
          .toOne("label", of: "Label", inverse: "artists"), .toOne("genre", of: "Genre", inverse: "artists"),
          .toMany("albums", of: "Album", inverse: "artist"), .toMany("tracks", of: "Track", inverse: "artist"),
        ]),
      Generated(
        "Album", [("detail", .string), ("releasedAt", .date), ("createdAt", .date), ("updatedAt", .date)],
        [
          .toOne("artist", of: "Artist", inverse: "albums"), .toOne("label", of: "Label", inverse: "albums"),
          .toOne("genre", of: "Genre", inverse: "albums"), .toMany("tracks", of: "Track", inverse: "album"),
        ]),
      Generated(
        "Track",
        [
          ("detail", .string), ("position", .integer64), ("duration", .double), ("createdAt", .date),
          ("updatedAt", .date),
        ],
        [.toOne("album", of: "Album", inverse: "tracks"), .toOne("artist", of: "Artist", inverse: "tracks")]),
    ])

  /// An entity of a model, and the attribute that a cell shows after the name.
  private struct Generated {
    let entity: ModelDocument.Entity
    let shown: [String]

    /// Creates an entity with a key, a name, other attributes, and the attribute that the user edits.
    init(
      _ name: String, _ attributes: [(name: String, type: ValueType)],
      _ relationships: [ModelDocument.Relationship] = [], shown: String? = nil
    ) {
      let all = [("remoteID", .string), ("name", .string)] + attributes
      entity = ModelDocument.Entity(
        name: name, attributes: all.map { .init(name: $0.name, type: .value($0.type)) } + [.edited("note")],
        relationships: relationships)
      self.shown = ["name"] + [shown].compactMap(\.self)
    }
  }

  private init(filling generated: [Generated]) {
    let model = ModelDocument(entities: generated.map(\.entity))
    self.init(
      model,
      entities: generated.map {
        Entity(
          $0.entity, of: model, key: ["remoteID"], sort: ["name", "remoteID"], shown: $0.shown,
          members: ["remoteID": "id"])
      })
  }
}

extension ModelDocument.Relationship {
  fileprivate static func toOne(_ name: String, of destination: String, inverse: String) -> Self {
    Self(name: name, destination: destination, inverse: inverse, isOptional: true, deletionRule: .nullify)
  }

  fileprivate static func toMany(
    _ name: String, of destination: String, inverse: String, deletionRule: ModelDocument.DeletionRule = .nullify
  ) -> Self {
    Self(
      name: name, destination: destination, inverse: inverse, isOptional: true, isToMany: true,
      deletionRule: deletionRule)
  }
}
