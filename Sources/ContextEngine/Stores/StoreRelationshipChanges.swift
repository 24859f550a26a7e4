/// What one save changes of relationships that no row holds: pairs in join tables, and the order of members.
///
/// Written after the rows, in the same transaction. Nothing here meets a conflict: a pair that is there already, or gone
/// already, is no error, so that what two contexts add both stays.
package struct StoreRelationshipChanges: Sendable {
  /// Pairs to take out, ascending.
  package var removals: [StoreLink] = []
  /// Objects that the save deletes, whose pairs all go, ascending.
  package var clearances: [Clearance] = []
  /// Pairs to enter, ascending.
  package var additions: [StoreLink] = []
  /// Ordered relationships whose order changes, ascending by owner.
  package var orders: [Order] = []

  /// An object of which no pair is to stay in a join table.
  package struct Clearance: Hashable, Comparable, Sendable {
    /// Where the object's keys are.
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

  /// The order that the members of one object's relationship shall have.
  ///
  /// Members that the store has and that are not named here were added by others: they keep their order, behind those
  /// that are named in `arranged`, and before those in `appended`. Keys that are no members are passed over.
  package struct Order: Sendable {
    package var owner: ObjectID
    /// The place among the to-many relationships of the owner's entity.
    package var relationship: Int
    /// The keys of all members that the context knew, in their order; nil = those that the store has stay as they are.
    package var arranged: [Int64]?
    /// Keys of new members, which go to the end. One that the store has as a member already, and that the context did not
    /// know to be one, keeps its place.
    package var appended: [Int64]
    /// Those of `appended` that go to the end even where they have a place: they were taken out and put back, or come from
    /// another owner.
    package var moved: [Int64]
    /// Keys that are members no more: their place is forgotten.
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
  /// The place among the model's join tables.
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
  package func link(_ owner: Int64, _ related: Int64) -> StoreLink {
    isNaming
      ? StoreLink(table: table, source: owner, target: related)
      : StoreLink(table: table, source: related, target: owner)
  }
}
