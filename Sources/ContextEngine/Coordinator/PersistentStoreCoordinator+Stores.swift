import Foundation
import MachineCore

// MARK: - Several stores

extension PersistentStoreCoordinator {
  /// The stores in the order in which they were added.
  package var persistentStores: [any PersistentStore] { attachedStores.members.map(\.store) }

  /// Adds a store.
  ///
  /// The store takes new objects of the entities in the configuration, unless an earlier store takes them or
  /// ``ManagedObjectContext/assign(_:to:)`` names another store. Later fetches read all stores. Traps if the store has
  /// another model, was made for another configuration, or was added before.
  ///
  /// - Parameters:
  ///   - store: The store to add.
  ///   - configuration: The name of a configuration of the model, or nil for the configuration that the store was made
  ///     for (every entity if it was made for none).
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
        "store \(store.identifier) was made for configuration \(own ?? "") but added for \(configuration ?? "")")
    }
    attachedStores.add(store, configuration: configuration ?? own, model: model)
  }

  /// Removes a store and closes it.
  ///
  /// Waits for running requests. Contexts can still use values of the store's objects that were read before; requests
  /// that need the store throw `.storeOpen` from now on. Traps if the coordinator does not have the store.
  package func removePersistentStore(_ store: any PersistentStore) throws(PersistenceError) {
    guard attachedStores.remove(store, model: model) else {
      trapMisuse("store \(store.identifier) was to be removed from a coordinator that does not have it")
    }
    try store.close()
  }

  /// Returns the store at a URL, or nil if the coordinator has no such store.
  package func persistentStore(for url: URL) -> (any PersistentStore)? {
    persistentStores.first { $0.url == url.absoluteURL }
  }

  /// Returns the store that has the row of an object, or nil if the object's ID is temporary or the store was removed.
  package func persistentStore(of objectID: ObjectID) -> (any PersistentStore)? {
    if objectID.isTemporaryID { return nil }
    return attachedStores.members.first { $0.number == objectID.store }?.store
  }
}

// MARK: - Object IDs as URIs

extension PersistentStoreCoordinator {
  /// Returns the ID as a URI that is valid in other processes too: `x-coredata://UUID of the store/Entity/pKEY`.
  ///
  /// The URI of a temporary ID, `x-coredata:///Entity/tNUMBER`, is valid for this coordinator only.
  public func uriRepresentation(of objectID: ObjectID) -> URL {
    let entity = model.entities[objectID.entityIndex].name
    let permanent = identities.canonical(objectID)
    let text =
      permanent.isTemporaryID
      ? "x-coredata:///\(entity)/t\(permanent.temporaryNumber)"
      : "x-coredata://\(persistentStore(of: permanent)?.identifier ?? "")/\(entity)/p\(permanent.rowKey)"
    guard let url = URL(string: text) else {
      trapMisuse("\(text) is not a URI, because the identifier of the store is not a UUID")
    }
    return url
  }

  /// Returns the ID that a URI identifies, or nil if the URI contains no store of the coordinator, no entity of the
  /// model or no key.
  ///
  /// This method does not check whether the row exists.
  public func managedObjectID(forURIRepresentation url: URL) -> ObjectID? {
    guard url.scheme == "x-coredata", url.pathComponents.count == 3,
      let entity = model.entities.first(where: { $0.name == url.pathComponents[1] }),
      let number = Int64(url.pathComponents[2].dropFirst()), number > 0
    else { return nil }
    switch url.pathComponents[2].first {
    case "t":
      return url.host ?? "" == ""
        ? ObjectID(entity: entity.index, temporaryNumber: number, root: entity.root.index) : nil
    case "p":
      // The host of a URL may have been converted to lower case.
      guard let host = url.host?.uppercased(),
        let member = attachedStores.members.first(where: { $0.store.identifier.uppercased() == host })
      else { return nil }
      return ObjectID(entity: entity.index, key: number, store: member.number)
    default: return nil
    }
  }
}
