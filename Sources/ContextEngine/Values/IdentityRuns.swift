/// A list of pairs of temporary and permanent keys, stored as runs in which the keys are consecutive.
///
/// A save assigns consecutive keys to the objects of one entity in the order in which they were created. A run
/// therefore covers a whole save as a rule, and often a whole import. Recording a pair takes one comparison, where two
/// hash tables took two searches and 48 bytes (15 % of a save through three levels). Runs grow only at their ends; the
/// owner keeps pairs that arrive out of order elsewhere.
package struct IdentityRuns: Sendable {
  private struct Run: Sendable {
    /// The temporary key that is nearest to zero; the others follow downwards.
    var temporary: Int64
    /// The lowest permanent key; the others follow upwards.
    var permanent: Int64
    var entity: Int32
    var count: Int32
  }

  /// The runs in the order of their temporary keys, from zero downwards.
  private var runs: [Run] = []
  /// The indexes of each entity's runs, in the order of their permanent keys.
  private var placesByEntity: [[Int32]] = []

  package init() {}

  /// Appends a pair if its temporary key follows all others and its permanent key follows all others of its entity.
  /// O(1) amortised.
  ///
  /// - Returns: false if the pair is out of order; it is not appended then.
  package mutating func append(_ temporary: ObjectID, as permanent: ObjectID) -> Bool {
    if let last = runs.indices.last, runs[last].entity == permanent.entity, runs[last].count < .max,
      temporary.key == runs[last].temporary - Int64(runs[last].count),
      permanent.key == runs[last].permanent + Int64(runs[last].count)
    {
      runs[last].count += 1
      return true
    }
    return begin(temporary, as: permanent)
  }

  private mutating func begin(_ temporary: ObjectID, as permanent: ObjectID) -> Bool {
    if let last = runs.last, temporary.key > last.temporary - Int64(last.count) { return false }
    while placesByEntity.count <= permanent.entityIndex { placesByEntity.append([]) }
    if let place = placesByEntity[permanent.entityIndex].last {
      let last = runs[Int(place)]
      if permanent.key < last.permanent + Int64(last.count) { return false }
    }
    placesByEntity[permanent.entityIndex].append(Int32(runs.count))
    runs.append(Run(temporary: temporary.key, permanent: permanent.key, entity: permanent.entity, count: 1))
    return true
  }

  /// Returns the permanent ID that belongs to a temporary key, or nil if no run contains the key. O(log runs).
  package func permanent(for key: Int64) -> ObjectID? {
    let place = runs.partitioningPlace { $0.temporary < key }
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = run.temporary - key
    guard offset < Int64(run.count) else { return nil }
    return ObjectID(entity: Int(run.entity), key: run.permanent + offset)
  }

  /// Returns the temporary ID that belongs to a permanent one, or nil if no run contains it. O(log runs).
  package func temporary(for objectID: ObjectID) -> ObjectID? {
    guard objectID.entityIndex < placesByEntity.count else { return nil }
    let places = placesByEntity[objectID.entityIndex]
    let place = places.partitioningPlace { runs[Int($0)].permanent > objectID.key }
    guard place > 0 else { return nil }
    let run = runs[Int(places[place - 1])]
    let offset = objectID.key - run.permanent
    guard offset < Int64(run.count) else { return nil }
    return ObjectID(entity: objectID.entityIndex, key: run.temporary - offset)
  }
}

extension Array {
  /// Returns the index of the first element that satisfies a condition, or `count` if no element does. All elements
  /// behind one that satisfies the condition must satisfy it too. O(log n).
  fileprivate func partitioningPlace(_ condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
