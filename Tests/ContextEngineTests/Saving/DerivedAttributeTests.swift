import ContextEngine
import TestSupport
import Testing

/// Attributes that a save computes from others.
@Suite(.onBothStores, .namingTheStore) struct DerivedAttributeTests {
  @Test(arguments: Arrangement.all)
  func `a save into the store computes a new object's derived attributes`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Shelf.model)
    let context = chain.leaf
    let song = context.performAndWait {
      let song = context.insertSong("Über ALLES", seconds: 90, by: context.insertSinger("Ana"))
      #expect(song[Shelf.plain] == .null && song[Shelf.singerName] == .null)
      return song
    }
    try chain.saveAll()
    try context.performAndWait {
      #expect(!context.hasChanges)
      if arrangement.depth > 0 { try context.refresh(song, mergeChanges: false) }
      #expect(song[Shelf.plain] == "uber alles")
      #expect(song[Shelf.large] == "ÜBER ALLES")
      #expect(song[Shelf.small] == "über alles")
      #expect(song[Shelf.singerName] == "Ana")
    }
    try stack.inStore { reading in
      let found = try #require(try reading.fetch(FetchRequest(Shelf.song)).first)
      #expect(found[Shelf.plain] == "uber alles" && found[Shelf.singerName] == "Ana")
      let singer = try #require(try reading.fetch(FetchRequest(Shelf.singer)).first)
      #expect(singer[Shelf.songCount] == 1 && singer[Shelf.length] == 90)
    }
  }

  @Test(arguments: Arrangement.all)
  func `derived counts and sums follow added, moved and deleted members`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Shelf.model)
    try stack.seed { context in
      let ana = context.insertSinger("Ana")
      context.insertSong("a", seconds: 10, by: ana)
      context.insertSong("b", seconds: 20, by: ana)
      context.insertSong("c", seconds: 40, by: ana)
      context.insertSinger("Bo")
    }
    let context = chain.leaf
    try context.performAndWait {
      let bo = try context.singer("Bo")
      context.delete(try context.song("a"))
      try context.song("b").relate(bo, at: Shelf.songSinger)
      context.insertSong("d", seconds: 80, by: bo)
    }
    try chain.saveAll()
    try stack.inStore { reading in
      let ana = try reading.singer("Ana")
      let bo = try reading.singer("Bo")
      #expect(ana[Shelf.songCount] == 1 && ana[Shelf.length] == 40)
      #expect(bo[Shelf.songCount] == 2 && bo[Shelf.length] == 100)
      #expect(try reading.song("b")[Shelf.singerName] == "Bo")
    }
  }

  @Test(arguments: Arrangement.all)
  func `derived counts over a join table are updated from either end`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Shelf.model)
    try stack.seed { context in
      let list = context.insert(Shelf.list)
      for name in ["a", "b"] { context.insertSong(name, seconds: 10, by: nil).add(list, to: Shelf.songLists) }
    }
    let context = chain.leaf
    try context.performAndWait {
      let list = try #require(try context.fetch(FetchRequest(Shelf.list)).first)
      #expect(list[Shelf.listCount] == 2 && list[Shelf.listLength] == .double(20))
      context.delete(try context.song("a"))
      try context.song("b").remove(list, from: Shelf.songLists)
      for seconds: Int64 in [30, 40, 50] {
        list.add(context.insertSong("n", seconds: seconds, by: nil), to: Shelf.listSongs)
      }
    }
    try chain.saveAll()
    try stack.inStore { reading in
      let list = try #require(try reading.fetch(FetchRequest(Shelf.list)).first)
      #expect(list[Shelf.listCount] == 3 && list[Shelf.listLength] == .double(120))
    }
  }

  @Test func `a saved object's derived attributes are computed from saved values`() throws {
    let stack = try Stack(model: Shelf.model)
    try stack.seed { $0.insertSong("One", seconds: 1, by: $0.insertSinger("Ana")) }
    let context = stack.context()
    try context.performAndWait {
      let song = try context.song("One")
      let singer = try context.singer("Ana")
      singer[Shelf.singerNameOfOwn] = "Eva"
      song[Shelf.title] = "Two"
      song[Shelf.seconds] = 5
      singer[Shelf.born] = 1990
      try context.save()
      #expect(song[Shelf.plain] == "two" && song[Shelf.singerName] == "Eva")
      #expect(singer[Shelf.length] == 5 && !context.hasChanges && song.version == 2)
      song.relate(nil, at: Shelf.songSinger)
      try context.save()
      #expect(song[Shelf.singerName] == .null && singer[Shelf.songCount] == 0 && singer[Shelf.length] == 0)
    }
  }

  /// The triggers of Core Data's SQL store do the same.
  @Test(arguments: Arrangement.all)
  func `a save updates derived attributes of objects that it does not otherwise write`(
    _ arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack(model: Shelf.model)
    try stack.seed { context in
      let ana = context.insertSinger("Ana")
      for title in ["One", "Two"] { context.insertSong(title, seconds: 10, by: ana) }
      context.insertSong("Three", seconds: 10, by: context.insertSinger("Bo"))
    }
    let (context, other) = (chain.leaf, stack.context("other"))
    let (theirs, savedAt) = try other.performAndWait {
      let song = try other.song("Two")
      return (song, song[Shelf.savedAt])
    }
    try context.performAndWait {
      try context.singer("Ana")[Shelf.singerNameOfOwn] = "Eva"
      try context.song("Three")[Shelf.seconds] = 70
    }
    try chain.saveAll()
    try stack.inStore { reading in
      for title in ["One", "Two"] {
        let song = try reading.song(title)
        // The version and the instant are those of the song's own last save.
        #expect(song[Shelf.singerName] == "Eva" && song.version == 1)
      }
      let (two, bo) = (try reading.song("Two"), try reading.singer("Bo"))
      #expect(two[Shelf.savedAt] == savedAt && bo[Shelf.length] == 70 && bo.version == 1)
    }
    // The version is unchanged, so a context that has not read the new value saves without a conflict.
    try other.performAndWait {
      theirs[Shelf.title] = "Second"
      try other.save()
      #expect(theirs[Shelf.singerName] == "Eva")
    }
  }

  @Test func `a context shows updated derived attributes after its save`() throws {
    let stack = try Stack(model: Shelf.model)
    try stack.seed { $0.insertSong("One", seconds: 1, by: $0.insertSinger("Ana")) }
    let context = stack.context()
    let reported = Journal<[ObjectID]>()
    let token = context.observeDidSave { reported.write($0.updatedIDs) }
    try context.performAndWait {
      let (song, ana) = (try context.song("One"), try context.singer("Ana"))
      ana[Shelf.singerNameOfOwn] = "Eva"
      try context.save()
      #expect(song[Shelf.singerName] == "Eva" && !context.hasChanges)
      #expect(reported.entries.last.map(Set.init) == [song.objectID, ana.objectID])
      // No attribute derives from this one, so no other object is updated.
      ana[Shelf.born] = 1_950
      try context.save()
      #expect(reported.entries.last == [ana.objectID])
    }
    withExtendedLifetime(token) {}
  }

  @Test func `an update of a derived attribute keeps another coordinator's changes to the object`() throws {
    let stack = try Stack(model: Shelf.model)
    try stack.seed { $0.insertSong("One", seconds: 1, by: $0.insertSinger("Ana")) }
    let second = try Stack(model: Shelf.model, on: stack.folder)
    let (context, other) = (stack.context(), second.context("other"))
    let song = try context.performAndWait {
      let song = try context.song("One")
      #expect(song[Shelf.seconds] == 1)
      try context.singer("Ana")[Shelf.singerNameOfOwn] = "Eva"
      return song
    }
    try other.performAndWait {
      try other.song("One")[Shelf.seconds] = 2
      try other.save()
    }
    // The error policy finds no conflict, because the song was not changed here.
    try context.performAndWait { try context.save() }
    try stack.inStore { reading in
      let found = try reading.song("One")
      #expect(found[Shelf.singerName] == "Eva" && found[Shelf.seconds] == 2)
    }
    context.performAndWait { #expect(!song.hasChanges) }
  }

  @Test func `a derivation from now() is the instant of the save`() throws {
    let stack = try Stack(model: Shelf.model)
    let context = stack.context()
    try context.performAndWait {
      let song = context.insertSong("One", seconds: 1, by: nil)
      let before = stack.machine.now
      try context.save()
      let after = stack.machine.now
      let first = try #require(song.date(at: Shelf.savedAt))
      #expect(first >= Double(before.nanoseconds) / 1e9 && first <= Double(after.nanoseconds) / 1e9)
      song[Shelf.title] = "Two"
      try context.save()
      #expect(try #require(song.date(at: Shelf.savedAt)) >= Double(after.nanoseconds) / 1e9)
    }
  }

  @Test func `a derived attribute is computed from the row that the merge policy resolves`() throws {
    let stack = try Stack(model: Shelf.model)
    try stack.seed { $0.insertSong("One", seconds: 1, by: nil) }
    let first = stack.context("first")
    let second = stack.context("second")
    first.mergePolicy = .storeTrump
    try first.performAndWait {
      let song = try first.song("One")
      #expect(song[Shelf.plain] == "one")
      try second.performAndWait {
        try second.song("One")[Shelf.title] = "Theirs"
        try second.save()
      }
      song[Shelf.title] = "Ours"
      song[Shelf.seconds] = 7
      try first.save()
      #expect(song[Shelf.title] == "Theirs" && song[Shelf.plain] == "theirs" && song[Shelf.seconds] == 7)
    }
  }

  @Test func `a list sorted by a derived attribute moves an object at the save`() throws {
    let stack = try Stack(model: Shelf.model)
    try stack.seed { context in
      for name in ["B", "D"] { context.insertSong(name, seconds: 1, by: nil) }
    }
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(Shelf.song, sortDescriptors: [FetchSortDescriptor(Shelf.plain)]),
        managedObjectContext: context)
      let listener = Listener()
      controller.delegate = listener
      try controller.performFetch()
      try context.song("B")[Shelf.title] = "e"
      try context.save()
      let names = try #require(controller.fetchedObjects).map { $0[Shelf.plain] }
      #expect(names == ["d", "e"])
      withExtendedLifetime(listener) {}
    }
  }
}

/// A delegate that asks for changes, so that a controller follows them, and ignores them.
private final class Listener: FetchedResultsControllerDelegate {
  var reporting: FetchedResultsReporting { .changes }
}
