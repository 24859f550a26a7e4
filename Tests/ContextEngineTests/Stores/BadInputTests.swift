import ContextEngine
import Foundation
import MachineLive
import TestSupport
import Testing

/// Files that are not stores or are damaged, as a context reads them: each throws an error with a code and the details
/// that the user needs, and unsaved changes are kept. The errors of opening a store are in the store's own
/// `OpeningTests`.
@Suite struct BadInputTests {
  /// Returns the folder of a closed store with a thousand books, each with a long note.
  private func closedStore() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder)
    try stack.seed { context in
      for number in 0..<1_000 {
        context.insertBook("Book \(number)")[Book.note] = .string(String(repeating: "\(number) ", count: 100))
      }
    }
    try stack.store.close()
    return folder
  }

  @Test func `damaged pages throw an error with the store's path, and unsaved changes stay`() throws {
    let folder = try closedStore()
    let file = URL(fileURLWithPath: folder.storePath)
    var data = try Data(contentsOf: file)
    // The last rows are overwritten. The schema is at the front of the file.
    data.replaceSubrange((data.count - 8 * 4_096)..., with: repeatElement(0xaa, count: 8 * 4_096))
    try data.write(to: file)
    let stack = try Stack(on: folder)
    let chain = stack.chain(1)
    let context = chain.leaf
    let added = try context.performAndWait {
      let added = context.insertBook("Emma")
      let error = #expect(throws: PersistenceError.self) { try context.titles() }
      #expect(error?.code == .storeIncompatible && error?.path == folder.storePath, "\(error?.description ?? "")")
      #expect(error?.sql?.hasPrefix("SELECT") == true && error?.sqliteCode != nil)
      #expect(context.insertedObjects == [added] && added.title == "Emma")
      // Rows on undamaged pages can be read.
      let first = try context.existingObject(with: ObjectID(entity: Book.entity.index, key: 1))
      #expect(first.title == "Book 0")
      return added
    }
    // A new row would be written after the last one, which is damaged.
    let error = #expect(throws: PersistenceError.self) { try chain.saveAll() }
    #expect(error?.code == .storeIncompatible && error?.path == folder.storePath, "\(error?.description ?? "")")
    chain.root.performAndWait { #expect(chain.root.insertedObjects.map(\.title) == ["Emma"]) }
    context.performAndWait { #expect(added.title == "Emma" && added.objectID.isTemporaryID) }
  }

  @Test func `a mistyped value in a column throws an error with row, column and statement`() throws {
    let folder = try closedStore()
    try plainRows(folder.storePath, "UPDATE ZBOOK SET ZYEAR = 'last year' WHERE Z_PK = 7")
    let stack = try Stack(on: folder)
    let context = stack.chain(1).leaf
    let objectID = ObjectID(entity: Book.entity.index, key: 7)
    context.performAndWait {
      for read in [{ _ = try context.titles() }, { _ = try context.existingObject(with: objectID) }] {
        let error = #expect(throws: PersistenceError.self) { try read() }
        #expect(error?.code == .storeIncompatible && error?.objectIDs == [objectID] && error?.path == folder.storePath)
        #expect(error?.message.contains("column ZYEAR of table ZBOOK holds text in the row with key 7") == true)
        #expect(error?.message.contains("Book.year is stored as INTEGER") == true && error?.sql != nil)
      }
    }
  }

  @Test func `a mistyped value in a dictionary fetch throws an error with column and statement`() throws {
    let folder = try TemporaryFolder()
    let first = try Stack(model: Zoo.model, on: folder)
    try first.seed { context in
      let whale = context.insertAnimal(Zoo.whale, "Moby")
      context.insertAnimal(Zoo.whale, "Dick").relate(whale, at: Zoo.mother)
    }
    try first.store.close()
    let damages = [
      ("Z\(Zoo.animal.number)_MOTHER = 77", "refers to an object of entity number 77, which the model does not have"),
      ("ZMOTHER = 'Moby'", "column 1 of a result has a value that its property cannot hold"),
      ("ZMOTHER = NULL, ZWEIGHT = 'heavy'", "column 3 of a result has a value that its property cannot hold"),
    ]
    for (damage, words) in damages {
      try plainRows(folder.storePath, "UPDATE ZANIMAL SET \(damage) WHERE ZMOTHER IS NOT NULL")
      let stack = try Stack(model: Zoo.model, on: folder)
      let context = stack.chain(1).leaf
      var request = FetchRequest(Zoo.animal)
      request.propertiesToFetch = [Zoo.name, Zoo.mother, Zoo.weight]
      context.performAndWait {
        let error = #expect(throws: PersistenceError.self) { try context.fetchDictionaries(request) }
        #expect(error?.code == .storeIncompatible && error?.path == folder.storePath)
        #expect(error?.message.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.sql?.hasPrefix("SELECT") == true)
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
      }
      try stack.store.close()
    }
  }

  @Test func `opening a folder as a store throws an error and changes nothing`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.storePath, withIntermediateDirectories: false)
    try Data("kept".utf8).write(to: URL(fileURLWithPath: folder.storePath + "/file"))
    let error = #expect(throws: PersistenceError.self) { try Stack(on: folder) }
    #expect(error?.code == .storeOpen && error?.path == folder.storePath, "\(error?.description ?? "")")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["library.sqlite"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.storePath) == ["file"])
  }

  /// A superuser may write to any file, so a separate process gives up its rights first.
  @Test(arguments: [true, false])
  func `a read-only file or folder throws an error with its path and changes nothing`(isFolder: Bool) async throws {
    let folder = try closedStore()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.storePath))
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: isFolder ? 0o666 : 0o444], ofItemAtPath: folder.storePath)
    try files.setAttributes([.posixPermissions: isFolder ? 0o555 : 0o777], ofItemAtPath: folder.url.path)
    defer { try? files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path) }
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let folder = TemporaryFolder(borrowing: URL(fileURLWithPath: path))
      let error = #expect(throws: PersistenceError.self) {
        let stack = try Stack(on: folder)
        try stack.seed { $0.insertBook("Emma") }
      }
      #expect(error?.code == .storeOpen && error?.path == folder.storePath, "\(error?.description ?? "")")
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["library.sqlite"])
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.storePath)) == before)
  }
}
