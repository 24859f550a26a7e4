extension AnswerModel {
  mutating func delete(_ row: RowName, _ touched: inout [(entity: Int, key: RecordKey)]) {
    guard let stored = rows[row] else { return }
    touched.append((stored.entity, row.key))
    unlink(row)
    rows[row] = nil
    deletedKeys[stored.entity].insert(row.key)
    // The result does not depend on the order in which a set gives its members.
    for source in sources[row.root].removeValue(forKey: row.key) ?? [] {
      guard let other = rows[source.row] else { continue }
      let relationship = relationships[other.entity][source.place]
      // A to-one relationship without an inverse leads to a missing row from now on.
      guard relationship.inverse != nil || relationship.end.isToMany else { continue }
      if relationship.inverse?.deleteRule == .cascade {
        delete(source.row, &touched)
      } else {
        remove(row.key, from: source)
        touched.append((other.entity, source.row.key))
      }
    }
    for (place, targets) in stored.targets.enumerated() {
      let relationship = relationships[stored.entity][place]
      guard relationship.end.deleteRule == .cascade else { continue }
      for target in targets { delete(name(relationship.target, target), &touched) }
    }
  }

  /// Returns true if a save accepts the deletion of a row: no rule denies it, no row keeps a required relationship
  /// without a target, and no relationship without an inverse leads to a deleted row.
  ///
  /// Complexity: O(n) in the rows that the deletion reaches.
  package func canDelete(_ entity: Int, _ key: RecordKey) -> Bool {
    var deleted: Set<RowName> = []
    var remaining = [name(entity, key)]
    while let row = remaining.popLast() {
      guard let stored = rows[row], deleted.insert(row).inserted else { continue }
      if boundRows.contains(row) { return false }
      for source in sources[row.root][row.key] ?? [] {
        guard let other = rows[source.row],
          relationships[other.entity][source.place].inverse?.deleteRule == .cascade
        else { continue }
        remaining.append(source.row)
      }
      for (place, targets) in stored.targets.enumerated()
      where relationships[stored.entity][place].end.deleteRule == .cascade {
        remaining += targets.map { name(relationships[stored.entity][place].target, $0) }
      }
    }
    return deleted.allSatisfy { isFree($0, of: deleted) }
  }

  /// Returns true if the rows that remain allow the deletion of a row together with others.
  private func isFree(_ row: RowName, of deleted: Set<RowName>) -> Bool {
    guard let stored = rows[row] else { return true }
    for source in sources[row.root][row.key] ?? [] where !deleted.contains(source.row) {
      guard let other = rows[source.row] else { continue }
      let relationship = relationships[other.entity][source.place]
      guard let inverse = relationship.inverse, inverse.deleteRule == .nullify else { return false }
      let remaining = other.targets[source.place].count {
        !deleted.contains(name(relationship.target, $0))
      }
      if !relationship.end.allows(remaining) { return false }
    }
    for (place, targets) in stored.targets.enumerated() {
      let relationship = relationships[stored.entity][place]
      let others = targets.map { name(relationship.target, $0) }.filter { !deleted.contains($0) }
      if others.isEmpty { continue }
      if relationship.end.deleteRule == .deny || relationship.end.deleteRule == .noAction { return false }
      guard let inverse = relationship.inverse, !(inverse.allows(0) && inverse.allows(1)) else { continue }
      // A target that needs this row may have others if its relationship is to-many.
      for other in others {
        let left = (sources[other.root][other.key] ?? []).count { source in
          !deleted.contains(source.row) && self.relationship(of: source)?.declared == relationship.declared
        }
        if !inverse.allows(left) { return false }
      }
    }
    return true
  }
}
