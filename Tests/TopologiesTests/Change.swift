import ContextEngine
import TestSupport

/// One record of a payload.
enum Change: Sendable {
  case insert(Int)
  /// Sets the weight of a product that exists.
  case update(Int, weight: Int)
  case delete(Int)
  case insertSupplier(Int)

  var id: Int {
    switch self {
    case .insert(let id), .update(let id, _), .delete(let id), .insertSupplier(let id): id
    }
  }

  var entity: EntityDescription {
    if case .insertSupplier = self { Supplier.entity } else { Product.entity }
  }
}

extension ManagedObjectContext {
  /// Finds the products of one unit and changes them, without a save.
  func apply(_ unit: [Change]) throws(PersistenceError) {
    let keys = unit.filter { $0.entity === Product.entity }.map { Value.integer(Int64($0.id)) }
    var found: [Value: ManagedObject] = [:]
    if !keys.isEmpty {
      for product in try fetch(FetchRequest(Product.entity, predicate: .isIn(Product.remoteID, keys))) {
        found[product[Product.remoteID]] = product
      }
    }
    for change in unit {
      let key = Value.integer(Int64(change.id))
      switch change {
      case .insert(let id):
        let product = insert(Product.entity)
        product[Product.remoteID] = key
        product[Product.name] = .string(Product.name(of: id))
        product[Product.weight] = .integer(0)
      case .update(_, let weight): found[key]?[Product.weight] = .integer(Int64(weight))
      case .delete: if let product = found[key] { delete(product) }
      case .insertSupplier(let id):
        let supplier = insert(Supplier.entity)
        supplier[Supplier.remoteID] = key
        supplier[Supplier.name] = .string("supplier \(id)")
      }
    }
  }

  /// Returns the products with these keys, in the order of the keys. Missing products are left out.
  func products(_ ids: some Sequence<Int>) throws(PersistenceError) -> [ManagedObject] {
    let keys = ids.map { Value.integer(Int64($0)) }
    var found: [Value: ManagedObject] = [:]
    for product in try fetch(FetchRequest(Product.entity, predicate: .isIn(Product.remoteID, keys))) {
      found[product[Product.remoteID]] = product
    }
    return keys.compactMap { found[$0] }
  }
}
