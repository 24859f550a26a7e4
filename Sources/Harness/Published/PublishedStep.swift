/// A step of a published measurement.
///
/// A step that saves works in blocks of its context's queue, one for each save; each block posts the next.
package struct PublishedStep: Codable, Hashable, Sendable {
  /// The name by which figures refer to the step, or nil if it has none.
  package var name: String?
  package var action: Action

  package init(name: String?, action: Action) {
    self.name = name
    self.action = action
  }

  package enum Action: Codable, Hashable, Sendable {
    case insert(Insertion)
    case findOrCreate(FindOrCreate)
    case fetch(Fetch)
    case update(Change)
    case delete(Change)
    case batchUpdate(BatchRequest)
    case batchDelete(BatchRequest)
    case link(Linking)
    case save(Save)
    case reset(PublishedTable.Party)
    /// Lets go of the objects that earlier steps hold.
    case release(PublishedTable.Party)
    /// Closes the store and opens it again, with new contexts.
    case reopen
    /// Runs two lists of steps at once, the first in the import's context, the second in the UI's.
    case together(importing: [PublishedStep], ui: [PublishedStep])
    case importInTwoPhases(TwoPhaseImport)
  }
}

// MARK: - Parts of steps

extension PublishedStep {
  /// When a step saves the context that it works in.
  package enum Saving: Codable, Hashable, Sendable {
    case never
    /// Once, after the last object.
    case once
    /// After every so many objects, and after the last.
    case every(Int)

    /// Returns the number of objects that one save, and so one block, carries.
    package func unit(of count: Int) -> Int {
      switch self {
      case .never, .once: max(1, count)
      case .every(let unit): unit
      }
    }
  }

  /// Makes new objects with generated values.
  package struct Insertion: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    package var count: Int
    package var saving: Saving
    /// Whether the objects are held until a later step lets go of them.
    package var holds: Bool

    package init(party: PublishedTable.Party, entity: String, count: Int, saving: Saving, holds: Bool) {
      self.party = party
      self.entity = entity
      self.count = count
      self.saving = saving
      self.holds = holds
    }
  }

  /// Imports the objects 0 to `count`, page by page: one fetch finds those of a page that are there, the others are made,
  /// and all get their values set.
  package struct FindOrCreate: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    package var count: Int
    /// The attribute by which objects are found.
    package var key: String
    package var pageSize: Int
    package var saving: Saving

    package init(
      party: PublishedTable.Party, entity: String, count: Int, key: String, pageSize: Int, saving: Saving
    ) {
      self.party = party
      self.entity = entity
      self.count = count
      self.key = key
      self.pageSize = pageSize
      self.saving = saving
    }
  }

  package struct Fetch: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    package var condition: Condition?
    package var sortAttributes: [String]
    package var limit: Int
    package var batchSize: Int
    /// Whether objects are left as faults, as Core Data does by default.
    package var returnsFaults: Bool
    /// Whether a value of each found object is read, which fires faults.
    package var reads: Bool
    /// Whether what was found is held until a later step lets go of it.
    package var holds: Bool
    /// How often the request is made.
    package var times: Int
    /// Whether all requests are made in one block instead of one block each.
    package var isOneBlock: Bool
    /// The time from one request's block to the next one's, in milliseconds; 0 = each is posted as soon as the one before
    /// has ended.
    package var intervalMilliseconds: Double

    package init(party: PublishedTable.Party, entity: String) {
      self.party = party
      self.entity = entity
      condition = nil
      sortAttributes = []
      limit = 0
      batchSize = 0
      returnsFaults = true
      reads = false
      holds = false
      times = 1
      isOneBlock = false
      intervalMilliseconds = 0
    }
  }

  /// Changes or deletes objects one by one.
  package struct Change: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    /// The attributes that get other values; not used by deletions.
    package var attributes: [String]
    package var condition: Condition?
    /// Whether the objects are those that an earlier step holds; otherwise the first block fetches them.
    package var usesHeld: Bool
    package var saving: Saving

    package init(
      party: PublishedTable.Party, entity: String, attributes: [String], condition: Condition?, usesHeld: Bool,
      saving: Saving
    ) {
      self.party = party
      self.entity = entity
      self.attributes = attributes
      self.condition = condition
      self.usesHeld = usesHeld
      self.saving = saving
    }
  }

  /// Changes or deletes rows by one request to the store, without making objects.
  package struct BatchRequest: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    package var attributes: [String]
    package var condition: Condition?

    package init(party: PublishedTable.Party, entity: String, attributes: [String], condition: Condition?) {
      self.party = party
      self.entity = entity
      self.attributes = attributes
      self.condition = condition
    }
  }

  /// Sets a to-one relationship of every object of an entity to an object drawn from the seed.
  package struct Linking: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    package var entity: String
    package var relationship: String
    package var saving: Saving

    package init(party: PublishedTable.Party, entity: String, relationship: String, saving: Saving) {
      self.party = party
      self.entity = entity
      self.relationship = relationship
      self.saving = saving
    }
  }

  package struct Save: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party
    /// Whether the contexts above are saved as well, each in a block of its own, down to the store.
    package var isAllTheWay: Bool

    package init(party: PublishedTable.Party, isAllTheWay: Bool) {
      self.party = party
      self.isAllTheWay = isAllTheWay
    }
  }

  /// The import of `TwoPhaseWorkload`, which brings entities of its own: find-or-create by page, then relationships.
  package struct TwoPhaseImport: Codable, Hashable, Sendable {
    package var objectCount: Int
    /// How many records one fetch looks up.
    package var pageSize: Int
    /// How many objects one save carries, or nil for one save after each entity's last object.
    package var objectsPerSave: Int?
    package var relationshipsPerSave: Int

    package init(objectCount: Int, pageSize: Int, objectsPerSave: Int?, relationshipsPerSave: Int) {
      self.objectCount = objectCount
      self.pageSize = pageSize
      self.objectsPerSave = objectsPerSave
      self.relationshipsPerSave = relationshipsPerSave
    }
  }

  /// A condition on one attribute, met by comparison with the generated values of some object.
  package struct Condition: Codable, Hashable, Sendable {
    package var attribute: String
    package var match: Match
    package var object: Choice

    package init(attribute: String, match: Match, object: Choice) {
      self.attribute = attribute
      self.match = match
      self.object = object
    }

    package enum Match: Codable, Hashable, Sendable {
      /// Has the value that the chosen object has.
      case equal
      /// Begins with so many characters of the chosen object's string.
      case prefix(Int)
      /// Has one of the values of the chosen object and those after it, so many in all.
      case page(Int)
    }

    /// The object whose values a request compares with.
    package enum Choice: Codable, Hashable, Sendable {
      /// One after the other, request by request.
      case each
      /// Drawn from the seed for each request.
      case random
      /// The object of this number, counted from 0 in the order of insertion.
      case number(Int)
    }
  }
}

// MARK: - Steps as a whole

extension PublishedStep {
  /// The step itself, or those that it runs at once.
  package var leaves: [PublishedStep] {
    if case .together(let importing, let ui) = action { (importing + ui).flatMap(\.leaves) } else { [self] }
  }
}
