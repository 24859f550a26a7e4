// MARK: - Batch requests

extension StoreGroup {
  /// Executes a batch request in the members of the group.
  ///
  /// An insertion is executed by the first store that takes the entity. Updates and deletions are executed by all
  /// stores that may have matching rows, in separate transactions and in the order in which the stores were added.
  package func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    var outcome = StoreBatchOutcome()
    for (member, part) in try parts(of: batch) {
      let done = try member.store.execute(part, from: origin)
      outcome.inserted += done.inserted.map { $0.inStore(member.number) }
      outcome.updated += done.updated.map { $0.inStore(member.number) }
      outcome.deleted += done.deleted.map { $0.inStore(member.number) }
      outcome.unlistedCount += done.unlistedCount
      outcome.committedAt = done.committedAt ?? outcome.committedAt
    }
    return outcome
  }

  private func parts(of batch: StoreBatch) throws(PersistenceError) -> [(Member, StoreBatch)] {
    switch batch {
    case .insert(let insertion):
      guard let member = members.first(where: { $0.holds(insertion.entity.index) }) else {
        throw PersistenceError(
          .storeAssignment, "no store of the coordinator accepts objects of entity \(insertion.entity.name)")
      }
      return [(member, batch)]
    case .update(let update):
      return members(holding: update.request.entity).map { member in
        var part = update
        part.request = member.local(update.request)
        return (member, .update(part))
      }
    case .delete(let deletion):
      var part = deletion
      switch deletion.target {
      case .matches(let request):
        return members(holding: request.entity).map { member in
          part.target = .matches(member.local(request))
          return (member, .delete(part))
        }
      case .objectIDs(let objectIDs):
        return members.compactMap { member in
          let own = objectIDs.filter { $0.store == member.number }.map(\.local)
          part.target = .objectIDs(own)
          return own.isEmpty ? nil : (member, .delete(part))
        }
      }
    }
  }
}
