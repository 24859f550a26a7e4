import ContextEngine

/// The model that the engine makes the stores of: the same five attributes without an index and with one over the code.
enum ItemModel {
  static let model = ManagedObjectModel([
    .init("Item", attributes: attributes(indexesCode: false)),
    .init("KeyedItem", attributes: attributes(indexesCode: true)),
  ])
  static let plain = ItemPaths(model.entity("Item"))
  static let keyed = ItemPaths(model.entity("KeyedItem"))

  static func attributes(indexesCode: Bool) -> [AttributeDescription] {
    [
      .init("code", .string, isOptional: false, isIndexed: indexesCode),
      .init("name", .string),
      .init("rating", .integer64),
      .init("price", .double),
      .init("updatedAt", .date),
    ]
  }
}

/// The paths of the five attributes of one of the two entities.
struct ItemPaths: Sendable {
  let entity: EntityDescription
  let code: PropertyPath
  let name: PropertyPath
  let rating: PropertyPath
  let price: PropertyPath
  let updatedAt: PropertyPath

  init(_ entity: EntityDescription) {
    self.entity = entity
    code = entity.path("code")
    name = entity.path("name")
    rating = entity.path("rating")
    price = entity.path("price")
    updatedAt = entity.path("updatedAt")
  }

  @inline(__always)
  func set(_ item: Item, on object: ManagedObject) {
    object[code] = .string(item.code)
    object[name] = .string(item.name)
    object[rating] = .integer(item.rating)
    object[price] = .double(item.price)
    object[updatedAt] = .date(item.updatedAt)
  }

  /// Returns the object's five attributes, or nil if one has no value or a value of another type.
  @inline(__always)
  func item(of object: ManagedObject) -> Item? {
    guard let code = object.string(at: code), let name = object.string(at: name),
      let rating = object.integer(at: rating), let price = object.double(at: price),
      let updatedAt = object.date(at: updatedAt)
    else { return nil }
    return Item(code: code, name: name, rating: rating, price: price, updatedAt: updatedAt)
  }

  /// Reads all five attributes and returns the sum of `Item.checksum`, without creating an item first. Raw SQLite's
  /// loop over its structs does not create one either.
  @inline(__always)
  func checksum(of object: ManagedObject) -> Int {
    guard let code = object.string(at: code), let name = object.string(at: name),
      let rating = object.integer(at: rating), let price = object.double(at: price),
      let updatedAt = object.date(at: updatedAt)
    else { return 0 }
    return code.utf8.count + name.utf8.count + Int(rating) + Int(price) + Int(updatedAt)
  }
}
