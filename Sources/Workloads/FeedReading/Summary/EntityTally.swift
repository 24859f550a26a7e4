/// The counts of the objects that are nested in a feed's records. Objects that members of the same name hold are of one
/// entity.
///
/// An object of several members that are all objects is a dictionary, and so are those of the members that are given.
/// Its members then are of the entity that is named after the dictionary, and the dictionary is not counted itself.
struct EntityTally {
  /// The facts about an entity.
  private struct Count {
    var name: String
    var records = 0
    var ids: IDSearch
    /// The hashes of the objects' contents.
    var contents = HashSet64()
  }

  /// The largest number of entities. Objects under further names are not counted, so that a feed whose names are data
  /// takes no memory for each of them.
  private static let maxCount = 1_000

  /// The singular of the members whose objects are dictionaries, in lower case.
  private let dictionaries: Set<String>
  private var counts: [Count] = []
  private var places: [String: Int] = [:]
  /// The places of the entities of members that occurred before.
  private var knownNames: [String: Int] = [:]

  /// Creates counts without objects.
  ///
  /// - Parameter dictionaries: The singular of the members whose objects are dictionaries, in lower case.
  init(dictionaries: Set<String>) { self.dictionaries = dictionaries }

  /// The entities, in the order in which they first occurred.
  var entities: [FeedSummary.Entity] {
    counts.map { count in
      FeedSummary.Entity(
        name: count.name, records: count.records,
        distinctIDs: count.ids.found?.distinctCount ?? count.contents.count)
    }
  }

  /// Adds the objects that are nested in a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - nameOf: A function that returns the name of a member.
  mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    for (id, value) in record.members { add(value) { nameOf(id) } }
  }

  /// Adds the objects in a value: the value itself, or the elements of a list, and the objects inside of them.
  private mutating func add(_ value: FeedValue, memberName: () -> String) {
    switch value {
    case .object(let object): add(object, memberName: memberName())
    case .list(let list):
      for element in list {
        if case .object(let object) = element {
          add(object, memberName: memberName(), isElement: true)
        } else {
          add(element, memberName: memberName)
        }
      }
    default: break
    }
  }

  private mutating func add(_ object: FeedObject, memberName: String, isElement: Bool = false) {
    if isDictionary(object) || !isElement && isGiven(memberName) {
      for member in object {
        if case .object(let inner) = member.value {
          add(inner, memberName: memberName, isElement: true)
        } else {
          add(member.value) { memberName }
        }
      }
      return
    }
    if let place = place(of: memberName) {
      counts[place].records += 1
      counts[place].ids.add(object)
      _ = counts[place].contents.insert(ValueHash.of(.object(object)))
    }
    for member in object { add(member.value) { member.name.string } }
  }

  private func isGiven(_ memberName: String) -> Bool {
    !dictionaries.isEmpty && dictionaries.contains(EntityName.singular(memberName).lowercased())
  }

  private func isDictionary(_ object: FeedObject) -> Bool {
    var count = 0
    for member in object {
      guard case .object = member.value else { return false }
      count += 1
    }
    return count > 1
  }

  private mutating func place(of memberName: String) -> Int? {
    if let place = knownNames[memberName] { return place }
    guard knownNames.count < Self.maxCount else { return nil }
    let name = EntityName.of(memberName)
    let place = places[name] ?? counts.count
    if place == counts.count {
      places[name] = place
      counts.append(Count(name: name, ids: IDSearch(entity: name)))
    }
    knownNames[memberName] = place
    return place
  }
}
