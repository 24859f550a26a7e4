import ContextEngine
import TestSupport
import Testing

/// Conflicts in coordinators with several stores.
@Suite struct SeveralStoresConflictTests {
  @Test(arguments: SeveralStores.Setting.all.filter { $0.depth == 0 }, [0, 1])
  func `a save succeeds and writes nothing if the policy discards all its changes`(
    setting: SeveralStores.Setting, number: Int
  ) throws {
    let stores = try SeveralStores(setting)
    try stores.seed(2)
    let request = FetchRequest(Desk.note, predicate: .equal(Desk.rank, .integer(Int64(number))))
    let contexts = ["first", "second"].map { name in
      ManagedObjectContext(.privateQueue, coordinator: stores.coordinator, name: name)
    }
    contexts[1].mergePolicy = .rollback
    for context in contexts {
      try context.performAndWait {
        try #require(try context.fetch(request).first)[Desk.text] = .string(context.name)
      }
    }
    for context in contexts { try context.performAndWait { try context.save() } }
    try contexts[1].performAndWait {
      let note = try #require(try contexts[1].fetch(request).first)
      #expect(note[Desk.text] == "first" && !contexts[1].hasChanges)
    }
    #expect(try stores.texts(in: number == 0 ? stores.first : stores.second) == ["first"])
  }
}
