import ContextEngine

/// The model that the engine makes the stores of: the same five attributes without an index and with one over the code.
enum ItemModel {
  static let model = ManagedObjectModel([
    .init("Item", attributes: attributes(indexesCode: false)),
    .init("KeyedItem", attributes: attributes(indexesCode: true)),
  ])
  static let plain = ItemPaths(model.entity("Item"))
  static let keyed = ItemPaths(model.entity("KeyedItem"))

  private static func attributes(indexesCode: Bool) -> [AttributeDescription] {
    [
      .init("code", .string, isOptional: false, isIndexed: indexesCode),
      .init("name", .string),
      .init("rating", .integer64),
      .init("price", .double),
      .init("updatedAt", .date),
    ]
  }
}

/// Where the five attributes lie in the objects of one of the two entities.
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

  /// The object's five attributes; nil where one has no value or one of another type.
  @inline(__always)
  func item(of object: ManagedObject) -> Item? {
    guard case .string(let code) = object[code], case .string(let name) = object[name],
      case .integer(let rating) = object[rating], case .double(let price) = object[price],
      case .date(let updatedAt) = object[updatedAt]
    else { return nil }
    return Item(code: code, name: name, rating: rating, price: price, updatedAt: updatedAt)
  }

  /// Reads all five attributes and adds up what `Item.checksum` does, without making an item of them first: raw SQLite's
  /// loop over its structs makes none either.
  @inline(__always)
  func checksum(of object: ManagedObject) -> Int {
    guard case .string(let code) = object[code], case .string(let name) = object[name],
      case .integer(let rating) = object[rating], case .double(let price) = object[price],
      case .date(let updatedAt) = object[updatedAt]
    else { return 0 }
    return code.utf8.count + name.utf8.count + Int(rating) + Int(price) + Int(updatedAt)
  }
}
