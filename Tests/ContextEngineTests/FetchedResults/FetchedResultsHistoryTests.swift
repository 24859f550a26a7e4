import ContextEngine
import MachineCore
import TestSupport
import Testing

/// Random histories: the reports of a controller, replayed on a plain array, give the same list as a new fetch.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsHistoryTests {
  /// The position of the controller's context, and so the way in which changes of others reach it.
  enum Setting: CaseIterable, Sendable {
    case besideWorker
    case aboveWorker
    case belowRoot
  }

  /// The division of the list into sections.
  enum Sections: CaseIterable, Sendable {
    case none
    case byYear
    case byFirstLetter
  }

  struct History: Sendable, CustomStringConvertible {
    var setting: Setting
    var sections: Sections
    var batchSize: Int
    var seed: UInt64

    var description: String { "\(setting), sections \(sections), batches of \(batchSize), seed \(seed)" }

    static let all = Setting.allCases.flatMap { setting in
      [0, 5].flatMap { batchSize in
        // Three consecutive seeds give a list with each kind of sections.
        HistoryPlan.seeds(share: 100, least: 3).map { seed in
          History(
            setting: setting, sections: Sections.allCases[seed % 3], batchSize: batchSize, seed: UInt64(seed))
        }
      }
    }

    /// The list that is followed; years sort from the last to the first.
    var request: FetchRequest {
      var request = FetchRequest.books(where: .comparison(Book.year, .notEqual, 2))
      if sections == .byYear {
        request.sortDescriptors = [FetchSortDescriptor(Book.year, isAscending: false), FetchSortDescriptor(Book.title)]
      }
      request.fetchBatchSize = batchSize
      return request
    }

    func controller(_ context: ManagedObjectContext) -> FetchedResultsController {
      switch sections {
      case .none: FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      case .byYear:
        FetchedResultsController(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: Book.year)
      case .byFirstLetter:
        FetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: Book.title,
          sectionName: { if case .string(let title) = $0 { String(title.prefix(1)) } else { "" } })
      }
    }

    /// Returns the sections that a new list of these books has.
    func sections(of books: [ManagedObject]) -> [Replica.Section] {
      var made: [Replica.Section] = []
      for book in books {
        let name =
          switch sections {
          case .none: ""
          case .byYear: if case .integer(let year) = book[Book.year] { "\(year)" } else { "" }
          case .byFirstLetter: String(book.title.prefix(1))
          }
        if made.last?.name != name { made.append(.init(name: name, objects: [])) }
        made[made.count - 1].objects.append(book)
      }
      return made.isEmpty && sections == .none ? [.init(name: "", objects: [])] : made
    }
  }

  @Test(arguments: History.all)
  func `replaying all reported changes gives the list of a fresh fetch`(history: History) throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<30 { context.insertBook("Seed \(number)", year: Int64(number % 3)) } }
    let root = stack.context("root")
    let main: ManagedObjectContext
    let worker: ManagedObjectContext
    switch history.setting {
    case .besideWorker: (main, worker) = (root, stack.context("worker"))
    case .aboveWorker: (main, worker) = (root, ManagedObjectContext(.privateQueue, parent: root, name: "worker"))
    case .belowRoot: (main, worker) = (ManagedObjectContext(.privateQueue, parent: root, name: "main"), root)
    }
    main.ignoresBatchSizeBelowContext = false
    for context in [root, main, worker] { context.mergePolicy = .objectTrump }
    let merges = history.setting != .aboveWorker
    main.performAndWait { main.automaticallyMergesChangesFromParent = merges }

    var unbatched = history.request
    unbatched.fetchBatchSize = 0
    let controller = main.performAndWait { history.controller(main) }
    try main.performAndWait { try controller.performFetch() }
    var replica = main.performAndWait { Replica(controller) }
    var random = SeededRandom(seed: history.seed, stream: "controller histories")
    // Changes of others to a fault cause no event, as in Core Data. So all objects are realised and retained.
    var held: [ManagedObject] = []
    var deleted: Set<ObjectID> = []

    for step in 0..<60 {
      try main.performAndWait {
        held = Array(try main.fetch(FetchRequest(Book.entity)))
        for book in held { _ = book.title }
      }
      switch random.below(10) {
      case 0...3:
        let context = random.below(2) == 0 ? main : worker
        try context.performAndWait { try change(context, step, &random) }
      case 4:
        try worker.performAndWait {
          try change(worker, step, &random)
          try worker.save()
        }
      case 5: try worker.performAndWait { try worker.save() }
      case 6:
        try main.performAndWait {
          deleted.formUnion(main.deletedObjects.map(\.objectID))
          try main.save()
        }
      case 7: main.performAndWait { main.rollback() }
      case 8:
        try main.performAndWait {
          for book in held where random.below(8) == 0 && !book.isDeleted {
            try main.refresh(book, mergeChanges: random.below(2) == 0)
          }
        }
      default:
        guard random.below(4) == 0 else { break }
        try main.performAndWait {
          main.reset()
          #expect(controller.fetchedObjects == nil)
          try controller.performFetch()
          replica = Replica(controller)
        }
      }
      if history.setting == .belowRoot { try root.performAndWait { try root.save() } }
      drain(main)
      try main.performAndWait {
        main.processPendingChanges()
        let fresh = Array(try main.fetch(unbatched))
        // A worker with unsaved changes writes a deleted row again. Main does not have the object, so that the list
        // misses it until it is fetched again.
        if !deleted.isDisjoint(with: fresh.map(\.objectID)) {
          deleted = []
          try controller.performFetch()
          replica = Replica(controller)
        }
        #expect(replica.objects.map(\.title) == fresh.map(\.title), "step \(step)")
        #expect(replica.sections == history.sections(of: fresh), "step \(step)")
        let sections = (controller.sections ?? []).map { Replica.Section(name: $0.name, objects: $0.objects) }
        #expect(sections == replica.sections, "step \(step)")
        let list = try #require(controller.fetchedObjects)
        #expect(list.objectIDs == fresh.map(\.objectID) && Array(list) == fresh, "step \(step)")
      }
    }
    withExtendedLifetime(held) {}
  }

  private func change(_ context: ManagedObjectContext, _ step: Int, _ random: inout SeededRandom) throws {
    for round in 0..<(1 + random.below(6)) {
      let books = try context.fetch(FetchRequest(Book.entity))
      // Titles are unique, so that the order is total.
      let title = "\(["A", "M", "T", "Z"][random.below(4)]) \(step) \(round) \(context.name)"
      guard random.below(3) > 0, !books.isEmpty else {
        context.insertBook(title, year: Int64(random.below(3)))
        continue
      }
      let book = books[random.below(books.count)]
      switch random.below(5) {
      case 0: context.delete(book)
      case 1: book[Book.title] = .string(title)
      case 2: book[Book.year] = .integer(Int64(random.below(3)))
      default: book[Book.note] = .string(title)
      }
      if random.below(3) == 0 { context.processPendingChanges() }
    }
  }
}
