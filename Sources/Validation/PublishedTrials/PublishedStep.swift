/// A step of a published measurement.
///
/// A step that saves works in blocks of its context's queue, one for each save; each block posts the next.
package struct PublishedStep: Codable, Hashable, Sendable {
  /// The name by which figures refer to the step, or nil if it is unnamed.
  package var name: String?
  package var action: Action

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
    /// Releases the objects that earlier steps hold.
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
  /// The times at which a step saves the context that it works in.
  package enum Saving: Codable, Hashable, Sendable {
    case never
    /// The step saves once, after the last object.
    case once
    /// The step saves whenever it has worked on this number of objects, and after the last object.
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
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    package var count = 0
    package var saving: Saving = .never
    /// True if the objects are held until a later step releases them.
    package var holds = false
    /// The to-one relationships that each object gets with its values, to objects drawn from the seed. The objects are
    /// those that earlier steps hold. If they hold none, the first block fetches all.
    package var links: [String] = []
    /// The number of bytes of a payload that the app decodes for each object.
    package var decodedByteCount = 0
  }

  /// Imports the objects 0 to `count`, page by page: one fetch finds those of a page that are there, the others are
  /// made, and all get their values set.
  package struct FindOrCreate: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    package var count = 0
    /// The attribute by which objects are found.
    package var key = ""
    package var pageSize = 1
    package var saving: Saving = .never
  }

  package struct Fetch: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    package var condition: Condition?
    package var sortAttributes: [String] = []
    package var limit = 0
    package var batchSize = 0
    /// True if objects are returned as faults, which is the default of Core Data.
    package var returnsFaults = true
    /// True if a value of each found object is read, which fires faults.
    package var reads = false
    /// The relationships of each found object that are read, with a value of each object to which they lead.
    package var followed: [String] = []
    /// True if the found objects are held until a later step releases them.
    package var holds = false
    /// The number of times that the request is made.
    package var times = 1
    /// True if all requests are made in one block instead of one block each.
    package var isOneBlock = false
    /// The time from one request's block to the next one's, in milliseconds. With 0, each is posted when the one before
    /// it has ended.
    package var intervalMilliseconds = 0.0
  }

  /// Changes or deletes objects one by one.
  package struct Change: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    /// The attributes that get other values. Deletions ignore them.
    package var attributes: [String] = []
    package var condition: Condition?
    /// True if the step uses the objects that an earlier step holds. Otherwise its first block fetches them.
    package var usesHeld = false
    package var saving: Saving = .never
  }

  /// Changes or deletes rows by one request to the store, without making objects.
  package struct BatchRequest: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    package var attributes: [String] = []
    package var condition: Condition?
  }

  /// Sets a to-one relationship of every object of an entity to an object drawn from the seed.
  package struct Linking: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    package var entity = ""
    package var relationship = ""
    package var saving: Saving = .never
  }

  package struct Save: Codable, Hashable, Sendable {
    package var party: PublishedTable.Party = .importing
    /// True if all parents of the context are saved too, each in a separate block, until the changes reach the store.
    package var isAllTheWay = false
  }

  /// The import of `TwoPhaseWorkload`, which has separate entities: find-or-create by page, then relationships.
  package struct TwoPhaseImport: Codable, Hashable, Sendable {
    package var objectCount = 0
    /// The number of records that one fetch looks up.
    package var pageSize = 1
    /// The number of objects in one save, or nil for one save after each entity's last object.
    package var objectsPerSave: Int?
    package var relationshipsPerSave = 1
  }

  /// A condition on one attribute, met by comparison with the generated values of some object.
  package struct Condition: Codable, Hashable, Sendable {
    package var attribute: String
    package var match: Match
    package var object: Choice

    package enum Match: Codable, Hashable, Sendable {
      /// Has the value that the chosen object has.
      case equal
      /// Begins with the first characters of the chosen object's string, as many as given.
      case prefix(Int)
      /// Has one of the values of the chosen object and the objects after it, as many objects as given.
      case page(Int)
      /// Has a value below the chosen object's.
      case less
      /// Has a value above the chosen object's.
      case greater
    }

    /// The object whose values a request compares with.
    package enum Choice: Codable, Hashable, Sendable {
      /// Each request takes the next object.
      case each
      /// Each request takes an object that is drawn from the seed.
      case random
      /// The object of this number, counted from 0 in the order of insertion.
      case number(Int)
    }
  }
}

// MARK: - Steps as a whole

extension PublishedStep {
  /// The step itself, or the steps that it runs at the same time.
  package var leaves: [PublishedStep] {
    if case .together(let importing, let ui) = action { (importing + ui).flatMap(\.leaves) } else { [self] }
  }
}
