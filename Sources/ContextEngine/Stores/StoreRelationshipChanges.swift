/// The changes of one save to relationships that are not stored in rows: pairs in join tables, and the order of
/// members.
///
/// They are written after the rows, in the same transaction, and cannot conflict: it is not an error if a pair to add
/// is already there or a pair to remove is already gone, so that additions of two contexts are both kept.
package struct StoreRelationshipChanges: Sendable {
  /// The pairs to remove, ascending.
  package var removals: [StoreLink] = []
  /// The objects that the save deletes, whose pairs are all removed, ascending.
  package var clearances: [Clearance] = []
  /// The pairs to add, ascending.
  package var additions: [StoreLink] = []
  /// The ordered relationships whose order changes, ascending by owner.
  package var orders: [Order] = []

  /// An object whose pairs are all removed from a join table.
  package struct Clearance: Hashable, Comparable, Sendable {
    /// The end of the join table that holds the object's key.
    package var end: JoinTableEnd
    package var key: Int64

    package init(end: JoinTableEnd, key: Int64) {
      self.end = end
      self.key = key
    }

    package static func < (left: Clearance, right: Clearance) -> Bool {
      (left.end.table, left.end.isNaming ? 0 : 1, left.key) < (right.end.table, right.end.isNaming ? 0 : 1, right.key)
    }
  }

  /// The new order of the members of one object's relationship.
  ///
  /// Stored members that are not listed here were added by others: they keep their order, after the members in
  /// `arranged` and before those in `appended`. Keys that are not members are ignored.
  package struct Order: Sendable {
    package var owner: ObjectID
    /// The index of the relationship among the to-many relationships of the owner's entity.
    package var relationship: Int
    /// The keys of all members that the context had read, in their order, or nil if the stored members keep their
    /// order.
    package var arranged: [Int64]?
    /// The keys of new members, which are placed at the end. A key keeps its place if it already was a member in the
    /// store and the context did not know that.
    package var appended: [Int64]
    /// The keys of `appended` that are placed at the end even if they have a place already, because they were removed
    /// and added again or come from another owner.
    package var moved: [Int64]
    /// The keys that are no longer members, whose places are deleted.
    package var departed: [Int64]

    package init(
      owner: ObjectID, relationship: Int, arranged: [Int64]?, appended: [Int64], moved: [Int64] = [],
      departed: [Int64]
    ) {
      self.owner = owner
      self.relationship = relationship
      self.arranged = arranged
      self.appended = appended
      self.moved = moved
      self.departed = departed
    }
  }

  package init() {}

  package var isEmpty: Bool {
    removals.isEmpty && clearances.isEmpty && additions.isEmpty && orders.isEmpty
  }
}

/// A pair in a join table.
package struct StoreLink: Hashable, Comparable, Sendable {
  /// The index among the model's join tables.
  package var table: Int
  /// The key of the object whose relationship the table is named after.
  package var source: Int64
  /// The key of the object at the other end.
  package var target: Int64

  package init(table: Int, source: Int64, target: Int64) {
    self.table = table
    self.source = source
    self.target = target
  }

  package static func < (left: StoreLink, right: StoreLink) -> Bool {
    (left.table, left.source, left.target) < (right.table, right.source, right.target)
  }
}

extension JoinTableEnd {
  /// Returns the pair of keys that makes `related` a member of the relationship of `owner`.
  package func link(_ owner: Int64, to related: Int64) -> StoreLink {
    isNaming
      ? StoreLink(table: table, source: owner, target: related)
      : StoreLink(table: table, source: related, target: owner)
  }
}
