/// Pairs of temporary and permanent keys, kept as runs in which both go on by one.
///
/// A save gives the objects of one entity, in the order in which they were made, keys that follow each other, so that a run
/// stands for a whole save as a rule, and often for a whole import: recording a pair costs a comparison where two hash tables
/// took two searches and 48 bytes (15 % of a save through three levels). Runs only ever go on at their ends; a pair that
/// comes out of order is for its owner to keep elsewhere.
struct IdentityRuns: Sendable {
  private struct Run: Sendable {
    /// The key nearest to zero; the others follow downwards.
    var temporary: Int64
    /// The lowest key; the others follow upwards.
    var permanent: Int64
    var entity: Int32
    var count: Int32
  }

  /// In the order of their temporary keys, from zero downwards.
  private var runs: [Run] = []
  /// For each entity the places of its runs, in the order of their permanent keys.
  private var placesByEntity: [[Int32]] = []

  /// Keeps a pair if both its keys come behind all others, the permanent one among those of its entity. O(1) amortised.
  ///
  /// - Returns: false = they do not, and the pair is not kept.
  mutating func append(_ temporary: ObjectID, _ permanent: ObjectID) -> Bool {
    if let last = runs.indices.last, runs[last].entity == permanent.entity, runs[last].count < .max,
      temporary.key == runs[last].temporary - Int64(runs[last].count),
      permanent.key == runs[last].permanent + Int64(runs[last].count)
    {
      runs[last].count += 1
      return true
    }
    return begin(temporary, permanent)
  }

  private mutating func begin(_ temporary: ObjectID, _ permanent: ObjectID) -> Bool {
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

  /// The permanent ID of a temporary key. O(log runs).
  func permanent(for key: Int64) -> ObjectID? {
    let place = runs.partitioningPlace { $0.temporary < key }
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = run.temporary - key
    guard offset < Int64(run.count) else { return nil }
    return ObjectID(entity: Int(run.entity), key: run.permanent + offset)
  }

  /// The temporary ID of a permanent one. O(log runs).
  func temporary(for objectID: ObjectID) -> ObjectID? {
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
  /// The first place whose element satisfies a condition that all elements behind one that does satisfy; the end = none.
  /// O(log n).
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
