import MachineCore

/// An error about the name of an entity or of a property that a user gives.
struct EntityNameError: Error {
  var message: String
}

extension WorkloadSchema {
  /// Returns the index of the entity with a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - able: The indexes of the entities that have rows.
  /// - Returns: The index.
  /// - Throws: `EntityNameError` if there is no such entity, or if it has no rows of its own.
  func entity(named name: String, among able: [Int]) throws(EntityNameError) -> Int {
    let names = able.map { entities[$0].name }
    guard let index = index(ofEntity: name) else {
      throw EntityNameError(message: "\(QuotedText.of(name)) is no entity; \(Self.choice(name, of: names))")
    }
    guard !able.contains(index) else { return index }
    let inheriting = able.filter { lineage(of: $0).contains(index) }.map { entities[$0].name }
    let reason = model.entities[index].isAbstract ? "is abstract and has no rows" : "has no rows that records make"
    throw EntityNameError(
      message: "\(name) \(reason); \(NameList.choice("", of: inheriting.isEmpty ? names : inheriting))")
  }

  /// Returns the end of a message about an unknown name: a question with the nearest name, or a list of all names.
  static func choice(_ name: String, of names: [String]) -> String {
    NearestName.of(name, among: names).map { "did you mean \($0)?" } ?? NameList.choice(name, of: names)
  }
}
