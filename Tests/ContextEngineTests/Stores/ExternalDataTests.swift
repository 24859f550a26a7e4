import ContextEngine
import Foundation
import TestSupport
import Testing

/// Values that a store keeps in separate files.
@Suite(.onBothStores, .namingTheStore) struct ExternalDataTests {
  @Test(arguments: Arrangement.all)
  func `long values with external storage lie in files, and others in the store`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Album.model)
    let (first, second) = (Album.long(1), Album.long(2))
    let story = String(repeating: "story ", count: 30_000)
    let photo = chain.leaf.performAndWait {
      let photo = chain.leaf.insertPhoto("long", first)
      photo[Album.preview] = .binary(second)
      photo[Album.text] = .transformable(TransformableValue(story))
      chain.leaf.insertPhoto("short", Album.short)
      chain.leaf.insertPhoto("none", nil)
      chain.leaf.insertPhoto("empty", Data())
      return photo
    }
    try chain.saveAll()
    try stack.expectFiles([first, Data(story.utf8)])
    // The context that inserted the object has the same values.
    chain.leaf.performAndWait { #expect(photo[Album.image] == .binary(first) && !photo.hasChanges) }
    try stack.inStore { reading in
      let long = try reading.photo("long")
      #expect(long[Album.image] == .binary(first) && long[Album.preview] == .binary(second))
      #expect(long[Album.text] == .transformable(TransformableValue(story)))
      #expect(try reading.image("short") == .binary(Album.short))
      #expect(try reading.image("none") == .null)
      #expect(try reading.image("empty") == .binary(Data()))
    }
  }

  @Test(arguments: Arrangement.all)
  func `a file is deleted when its value is replaced, cleared or deleted`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Album.model)
    try stack.seed { context in
      let album = context.insert(Album.album)
      for (number, title) in ["replaced", "emptied", "deleted", "kept", "shortened"].enumerated() {
        context.insertPhoto(title, Album.long(UInt8(number)))
      }
      context.insertPhoto("in album", Album.long(9)).relate(album, at: Album.ofPhoto)
    }
    try stack.expectFiles((0..<5).map { Album.long($0) } + [Album.long(9)])
    let context = chain.leaf
    try context.performAndWait {
      try context.photo("replaced")[Album.image] = .binary(Album.long(7))
      try context.photo("emptied")[Album.image] = .null
      context.delete(try context.photo("deleted"))
      try context.photo("kept")[Album.title] = "still kept"
      try context.photo("shortened")[Album.image] = .binary(Album.short)
      let album = try #require(try context.fetch(FetchRequest(Album.album)).first)
      context.delete(album)
    }
    try chain.saveAll()
    try stack.expectFiles([Album.long(3), Album.long(7)])
    try stack.expectImage("replaced", Album.long(7))
    try stack.expectImage("still kept", Album.long(3))
    try stack.expectImage("shortened", Album.short)
  }

  @Test func `setting an equal external value is no change`() throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let context = stack.context()
    try context.performAndWait {
      let photo = try context.photo("a")
      photo[Album.image] = .binary(Album.long(1))
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: [0, 1])
  func `a row is read without its file, and reading a missing file throws`(depth: Int) throws {
    let stack = try Stack(model: Album.model)
    guard stack.hasSQL else { return }
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: stack.folder.externalData.path).first)
    let path = stack.folder.externalData.appendingPathComponent(name).path
    try FileManager.default.removeItem(atPath: path)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let photo = try context.photo("a")
      #expect(photo[Album.title] == "a")
      let error = #expect(throws: PersistenceError.self) { try photo.readValue(at: Album.image) }
      #expect(error?.code == .externalDataUnreadable && error?.path == path)
      // A missing value can be set again.
      photo[Album.image] = .binary(Album.long(2))
      #expect(try photo.readValue(at: Album.image) == .binary(Album.long(2)))
    }
  }

  @Test(arguments: Arrangement.all)
  func `a failed save adds and deletes no files`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Album.model)
    try stack.seed { context in
      context.insertPhoto("a", Album.long(1))
      context.insertPhoto("b", Album.long(2))
    }
    let other = stack.context("other")
    let (leaf, root) = (chain.leaf, chain.root)
    try leaf.performAndWait {
      try leaf.photo("a")[Album.image] = .binary(Album.long(3))
      leaf.delete(try leaf.photo("b"))
      leaf.insertPhoto("c", Album.long(4))
    }
    for context in chain.contexts.dropFirst().reversed() { try context.performAndWait { try context.save() } }
    try other.performAndWait {
      try other.photo("a")[Album.image] = .binary(Album.long(5))
      try other.save()
    }
    try stack.expectFiles([Album.long(2), Album.long(5)])
    #expect(throws: PersistenceError.self) { try root.performAndWait { try root.save() } }
    try stack.expectFiles([Album.long(2), Album.long(5)])
    #expect(root.performAndWait { root.hasChanges })
    try root.performAndWait {
      root.mergePolicy = .objectTrump
      try root.save()
    }
    try stack.expectFiles([Album.long(3), Album.long(4)])
    let image = try leaf.performAndWait { try leaf.image("c") }
    #expect(image == .binary(Album.long(4)))
  }

  @Test(arguments: [MergePolicy.storeTrump, .rollback, .overwrite, .objectTrump])
  func `a merge policy leaves one file for the resolved value`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let (context, other) = (stack.context(), stack.context("other"))
    context.performAndWait { context.mergePolicy = policy }
    let photo = try context.performAndWait {
      let photo = try context.photo("a")
      photo[Album.preview] = .binary(Album.short)
      return photo
    }
    try other.performAndWait {
      try other.photo("a")[Album.image] = .binary(Album.long(2))
      try other.save()
    }
    try context.performAndWait { try context.save() }
    // The overwrite policy writes the whole object, including the image, which was not read before and whose file has
    // since been deleted.
    let left = policy == .overwrite ? Album.long(1) : Album.long(2)
    try stack.expectFiles([left])
    context.performAndWait { #expect(photo[Album.image] == .binary(left)) }
    try stack.expectImage("a", left)
  }

  @Test(arguments: [1, 4])
  func `cached rows keep their values after their files are deleted`(poolSize: Int) throws {
    let stack = try Stack(poolSize: poolSize, model: Album.model)
    try stack.seed { context in
      context.insertPhoto("a", Album.long(1))
      context.insertPhoto("b", Album.long(2))
    }
    let (context, other) = (stack.context(), stack.context("other"))
    let (first, second) = try context.performAndWait {
      let photos = (try context.photo("a"), try context.photo("b"))
      // The photos are realised, but their images have not been read.
      #expect(photos.0[Album.title] == "a" && photos.1[Album.title] == "b")
      return photos
    }
    try other.performAndWait {
      try other.photo("a")[Album.image] = .binary(Album.long(3))
      other.delete(try other.photo("b"))
      try other.save()
    }
    try stack.expectFiles([Album.long(3)])
    try context.performAndWait {
      #expect(first[Album.image] == .binary(Album.long(1)))
      #expect(second[Album.image] == .binary(Album.long(2)))
      try context.refresh(first, mergeChanges: false)
      #expect(first[Album.image] == .binary(Album.long(3)))
    }
  }

  @Test func `undoing a saved deletion writes the file again`() throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { $0.insertPhoto("a", Album.long(1)) }
    let context = stack.context()
    let manager = ContextUndoManager()
    try context.performAndWait {
      context.undoManager = manager
      context.delete(try context.photo("a"))
      try context.save()
    }
    try stack.expectFiles([])
    try context.performAndWait {
      manager.undo()
      try context.save()
    }
    try stack.expectFiles([Album.long(1)])
    try stack.expectImage("a", Album.long(1))
  }

  @Test func `external values are fetched in dictionaries, and comparing or sorting by them throws`() throws {
    let stack = try Stack(model: Album.model)
    try stack.seed { context in
      context.insertPhoto("a", Album.long(1))
      context.insertPhoto("b", Album.short)
      context.insertPhoto("c", nil)
    }
    try stack.inStore { context in
      var request = FetchRequest(Album.photo, sortDescriptors: [FetchSortDescriptor(Album.title)])
      request.propertiesToFetch = [Album.image]
      let found = try context.fetchDictionaries(request).map { $0["image"] }
      #expect(found == [.binary(Album.long(1)), .binary(Album.short), .null])
      request.returnsDistinctResults = true
      #expect(throws: PersistenceError.self) { try context.fetchDictionaries(request) }
      let empty = FetchRequest(Album.photo, predicate: .equal(Album.image, .null))
      #expect(try context.fetch(empty).count == 1)
      let sorted = FetchRequest(Album.photo, sortDescriptors: [FetchSortDescriptor(Album.image)])
      let error = #expect(throws: PersistenceError.self) { try context.fetch(sorted) }
      #expect(error?.code == .invalidPredicate)
      let comparison = ComparisonPredicate(
        .keyPath(PropertyKeyPath(Album.image)), .equal, .constant(.binary(Album.short)))
      #expect(throws: PersistenceError.self) {
        try context.fetch(FetchRequest(Album.photo, predicate: .expressions(comparison)))
      }
    }
  }
}
