/// The mapping of a feed as far as it can be found, with the reasons why an import cannot use it yet.
package struct FeedDraft {
  package let mapping: FeedMapping
  /// The reasons, each in one line. The list is empty if an import can use the mapping.
  package let problems: [String]
  /// The members that hold dictionaries of objects, as `FeedSummary` needs them.
  package let dictionaryMembers: Set<String>
  /// The references that were inferred without a model.
  package let references: [Reference]

  /// A member with IDs of other objects of the feed.
  package struct Reference: Equatable, Sendable {
    package let entity: String
    package let member: String
    package let relationship: String
    package let target: String
    /// The number of IDs.
    package let count: Int
    /// The number of IDs that no object has.
    package let danglingCount: Int
  }

  /// Maps a feed to the model of the options, or to an inferred one.
  ///
  /// - Parameters:
  ///   - options: The options, which may name a model.
  ///   - path: The path of the feed.
  /// - Throws: `WorkloadError` if a file cannot be read.
  package init(options: WorkloadOptions, path: String) throws(WorkloadError) {
    let model = try options.modelDocument()
    do {
      let reader = try FeedReader(path: path, limits: FeedLimits(maxRecordBytes: options.maxRecordBytes))
      let structure = try FeedStructure(reader)
      dictionaryMembers = Set(structure.dictionaries.keys.map(\.text))
      guard let model else {
        let found = try FeedReference.find(in: structure, kinds: structure.entityKinds, reader)
        mapping = try FeedMapping.infer(structure, found, shape: reader.shape)
        problems = []
        references = Self.references(found, mapping: mapping, structure: structure)
        return
      }
      references = []
      let best = ModelMatching.best(structure, model: model, fileName: FeedMapping.fileName(reader))
      guard let best else {
        // The records get the first entity that can have rows, so that the user has one to edit.
        let entity = model.entities.first { !$0.isAbstract }
        let members = structure.kinds[0].members.map(\.name).sorted { $0.bytesPrecede($1) }
        mapping = FeedMapping(
          shape: reader.shape,
          entities: entity.map { [FeedMapping.Entity(name: $0.name, key: .attributes([]), attributes: [])] } ?? [],
          unmatched: members.map { "\(entity?.name ?? "").\($0)" })
        problems = [FeedMapping.noMatch(structure, reader: reader).message]
        return
      }
      var draft = FeedMapping(best, shape: reader.shape)
      var problems = draft.missingRequirements(model, path: path).map(\.message)
      do throws(WorkloadError) {
        try draft.chooseKeys(model: model, structure: structure, reader: reader)
      } catch {
        problems.append(error.message)
      }
      mapping = draft
      self.problems = problems
    } catch let error as FeedError {
      throw WorkloadError(error)
    } catch let error as WorkloadError {
      throw error
    } catch {
      throw WorkloadError(.unreadableFile, "\(error)", path: path)
    }
  }

  private static func references(
    _ found: [FeedReference], mapping: FeedMapping, structure: FeedStructure
  ) -> [Reference] {
    found.compactMap { reference in
      guard let entity = reference.entity(in: mapping, structure),
        let relationship = entity.relationships.first(where: { $0.isReference && $0.member == [reference.member] })
      else { return nil }
      return Reference(
        entity: entity.name, member: reference.member, relationship: relationship.name,
        target: mapping.entities[relationship.target].name, count: reference.count,
        danglingCount: reference.danglingCount)
    }
  }
}

extension FeedReference {
  /// Returns the entity of the objects that have the member, or nil if it is not mapped.
  func entity(in mapping: FeedMapping, _ structure: FeedStructure) -> FeedMapping.Entity? {
    guard kind > 0 else { return mapping.entities.first }
    let name = EntityNaming.entity(structure.kinds[kind].member)
    return mapping.entities.dropFirst().first { $0.name == name }
  }
}
