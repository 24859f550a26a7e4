import Foundation
import MachineCore

// MARK: - Several stores

extension PersistentStoreCoordinator {
  /// The stores in the order in which they were added.
  package var persistentStores: [any PersistentStore] { attachedStores.members.map(\.store) }

  /// Adds a store.
  ///
  /// It takes new objects of the entities in the configuration, where no earlier store does and
  /// ``ManagedObjectContext/assign(_:to:)`` says nothing else. Fetches look into all stores from now on. Traps when the
  /// store is of another model, was made for another configuration, or was added before.
  ///
  /// - Parameter configuration: a configuration of the model; nil = every entity, or those that the store was made for.
  package func addPersistentStore(_ store: any PersistentStore, configuration: String? = nil) {
    guard store.model === model else {
      trapMisuse("store \(store.identifier) was added to a coordinator of another model than its own")
    }
    guard !attachedStores.members.contains(where: { $0.store === store }) else {
      trapMisuse("store \(store.identifier) was added to a coordinator twice")
    }
    let own = store.modelConfiguration
    guard own == nil || configuration == nil || own == configuration else {
      trapMisuse(
        "store \(store.identifier) was made for configuration \(own ?? "") and added for \(configuration ?? "")")
    }
    attachedStores.add(store, configuration: configuration ?? own, model)
  }

  /// Takes a store out and closes it.
  ///
  /// Waits for requests under way. Objects of it that contexts have stay readable as far as they were read; what would
  /// need the store fails with `.storeOpen` from now on. Traps when the coordinator does not have the store.
  package func removePersistentStore(_ store: any PersistentStore) throws(PersistenceError) {
    guard attachedStores.remove(store, model) else {
      trapMisuse("store \(store.identifier) was to be removed from a coordinator that does not have it")
    }
    try store.close()
  }

  /// The store at a URL; nil = there is none.
  package func persistentStore(for url: URL) -> (any PersistentStore)? {
    persistentStores.first { $0.url == url.absoluteURL }
  }

  /// The store that has the row of an object; nil while the object's ID is temporary, or when that store was removed.
  package func persistentStore(of objectID: ObjectID) -> (any PersistentStore)? {
    if objectID.isTemporaryID { return nil }
    return attachedStores.members.first { $0.number == objectID.store }?.store
  }
}

// MARK: - Object IDs as URIs

extension PersistentStoreCoordinator {
  /// The ID as a URI that outlives the process: `x-coredata://UUID of the store/Entity/pKEY`.
  ///
  /// Of a temporary ID, `x-coredata:///Entity/tNUMBER`, which means something to this coordinator only.
  public func uriRepresentation(of objectID: ObjectID) -> URL {
    let entity = model.entities[objectID.entityIndex].name
    let permanent = identities.canonical(objectID)
    let text =
      permanent.isTemporaryID
      ? "x-coredata:///\(entity)/t\(-permanent.key)"
      : "x-coredata://\(persistentStore(of: permanent)?.identifier ?? "")/\(entity)/p\(permanent.rowKey)"
    guard let url = URL(string: text) else {
      trapMisuse("\(text) is no URI: the identifier of the store is not a UUID")
    }
    return url
  }

  /// The ID that a URI stands for; nil where it names no store of the coordinator, no entity of the model or no key.
  ///
  /// Does not look whether there is such a row.
  public func managedObjectID(forURIRepresentation url: URL) -> ObjectID? {
    guard url.scheme == "x-coredata", url.pathComponents.count == 3,
      let entity = model.entities.first(where: { $0.name == url.pathComponents[1] }),
      let number = Int64(url.pathComponents[2].dropFirst()), number > 0
    else { return nil }
    switch url.pathComponents[2].first {
    case "t":
      return url.host ?? "" == "" ? ObjectID(entity: entity.index, key: -number) : nil
    case "p":
      // The host of a URL may have lost its capitals.
      guard let host = url.host?.uppercased(),
        let member = attachedStores.members.first(where: { $0.store.identifier.uppercased() == host })
      else { return nil }
      return ObjectID(entity: entity.index, key: number, store: member.number)
    default: return nil
    }
  }
}
