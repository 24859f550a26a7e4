import ContextEngine
import Foundation
import TestSupport
import Testing

/// Entities that have more attributes and to-one relationships than a word has bits.
@Suite(.onBothStores, .namingTheStore) struct WideEntityTests {
  private func makeStack(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack(model: WideModel.model)
    try stack.seed { context in
      let writer = context.insert(WideModel.writer, named: "Ada")
      let reports = [context.insertReport(1), context.insertReport(2, WideModel.annual), context.insertReport(3)]
      for report in reports { report.relate(writer, at: WideModel.report.path("author")) }
      reports[0].relate(reports[1], at: WideModel.report.path("next"))
      reports[1]["year"] = .integer(1999)
    }
    return (stack, chain)
  }

  @Test(arguments: Arrangement.all)
  func `every value of a wide entity is read as it was saved`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      for seed in 1...3 {
        let report = try chain.leaf.report(seed)
        #expect(report.differences(from: seed).isEmpty)
        #expect(report["upper"] == .string("1097 OF \(seed)") && report["mandatory"] == 0)
        #expect(report.related(WideModel.report.path("author"))?.name == "Ada")
      }
      let next = try #require(try chain.leaf.report(1).related(WideModel.report.path("next")))
      #expect(next.entity === WideModel.annual && next["year"] == 1999)
      #expect(next.related(WideModel.report.path("previous")) === (try chain.leaf.report(1)))
      chain.leaf.insertReport(4)
    }
    try chain.saveAll()
    #expect(try stack.inStore { try $0.report(4).differences(from: 4) } == [])
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }

  @Test(arguments: Arrangement.all)
  func `changes of slots beyond 64 are saved, and no other slots are`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let report = try chain.leaf.report(1)
      for name in ["a3", "a63", "a66", "a1095"] { report[name] = 7 }
      report.relate(nil, at: WideModel.report.path("author"))
      #expect(report.changedValues().keys.sorted() == ["a1095", "a3", "a63", "a66", "author"])
      #expect(report.changedValuesForCurrentEvent().keys.sorted() == ["a1095", "a3", "a63", "a66", "author"])
      #expect(report.committedValues(forKeys: ["a66"]) == ["a66": WideModel.value(of: 66, 1)])
      #expect(report.hasPersistentChangedValues)
    }
    let statements = try stack.statements { try chain.saveAll() }
    if stack.hasSQL {
      let update = try #require(statements.first { $0.hasPrefix("UPDATE ZREPORT") })
      #expect(update.hasPrefix("UPDATE ZREPORT SET ZA3 = ?, ZA63 = ?, ZA66 = ?, ZA1095 = ?, ZAUTHOR = ?, "))
    }
    try stack.inStore { context in
      let report = try context.report(1)
      #expect(report.differences(from: 1) == [3, 63, 66, 1_095])
      #expect(report["a1095"] == 7 && report.related(WideModel.report.path("author")) == nil)
    }
  }

  @Test(arguments: Arrangement.all)
  func `changes of a wide object are undone, redone, refreshed and rolled back`(arrangement: Arrangement) throws {
    let (stack, chain) = try makeStack(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let report = try context.report(1)
      report["a900"] = 1
      context.processPendingChanges()
      context.undo()
      #expect(report["a900"] == WideModel.value(of: 900, 1))
      context.redo()
      #expect(report["a900"] == 1)
      try context.refresh(report, mergeChanges: true)
      #expect(report["a900"] == 1 && report.differences(from: 1) == [900])
      context.rollback()
      #expect(report.differences(from: 1).isEmpty && !report.hasChanges && report.changedValues().isEmpty)
      context.delete(report)
      context.processPendingChanges()
      context.undo()
      #expect(report.differences(from: 1).isEmpty && !report.isDeleted)
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
  }

  @Test(arguments: Arrangement.all)
  func `a fetch of some properties reads those slots of a wide entity`(arrangement: Arrangement) throws {
    let (_, chain) = try makeStack(arrangement)
    try chain.leaf.performAndWait {
      let paths = ["a2", "a65", "a1097"].map { WideModel.report.path($0) }
      var request = FetchRequest(
        WideModel.report, predicate: .equal(paths[2], WideModel.value(of: 1_097, 2)),
        sortDescriptors: [FetchSortDescriptor(paths[1])])
      request.propertiesToFetch = paths
      let report = try #require(try chain.leaf.fetch(request).first)
      #expect(report["a1097"] == WideModel.value(of: 1_097, 2) && report["a65"] == WideModel.value(of: 65, 2))
      #expect(report.differences(from: 2).isEmpty)
    }
  }

  @Test(arguments: MergePolicy.allCases)
  func `merge policies decide on slots beyond 64`(policy: MergePolicy) throws {
    let (stack, _) = try makeStack(Arrangement.all[0])
    let (first, second) = (stack.context("first"), stack.context("second"))
    second.mergePolicy = policy
    for context in [first, second] { try context.performAndWait { _ = try context.report(1)["a0"] } }
    try second.performAndWait {
      let report = try second.report(1)
      (report["a99"], report["a999"]) = (2, 2)
    }
    try first.performAndWait {
      let report = try first.report(1)
      (report["a99"], report["a102"]) = (1, 1)
      try first.save()
    }
    do {
      try second.performAndWait { try second.save() }
    } catch let error as PersistenceError where policy == .error {
      #expect(error.code == .managedObjectMerge)
    }
    let values = try stack.inStore { context in try ["a99", "a102", "a999"].map { try context.report(1)[$0] } }
    let (old102, old999) = (WideModel.value(of: 102, 1), WideModel.value(of: 999, 1))
    switch policy {
    case .error, .rollback: #expect(values == [1, 1, old999])
    case .storeTrump: #expect(values == [1, 1, 2])
    case .objectTrump: #expect(values == [2, 1, 2])
    case .overwrite: #expect(values == [2, old102, 2])
    }
  }

  @Test func `a merge shows a change of a slot beyond 64`() throws {
    let (stack, _) = try makeStack(Arrangement.all[0])
    let (main, worker) = (stack.context("main"), stack.context("worker"))
    let saves = Journal<SaveNotification>()
    let token = worker.observeDidSave { saves.write($0) }
    try main.performAndWait {
      let report = try main.report(1)
      report["a600"] = 5
      try worker.performAndWait {
        try worker.report(1)["a603"] = 6
        try worker.save()
      }
      main.mergeChanges(fromContextDidSave: try #require(saves.entries.first))
      #expect(report["a600"] == 5 && report["a603"] == 6 && report.differences(from: 1) == [600, 603])
    }
    token.cancel()
  }

  @Test func `transient, external, unique and mandatory attributes work beyond 64 slots`() throws {
    let (stack, _) = try makeStack(Arrangement.all[0])
    let context = stack.context()
    let scan = Data(repeating: 3, count: 200_000)
    try context.performAndWait {
      let report = try context.report(1)
      (report["scratch"], report["scan"]) = ("only here", .binary(scan))
      try context.save()
      #expect(report["scratch"] == "only here")
      report["mandatory"] = .null
      #expect(throws: PersistenceError.self) { try context.save() }
      report["mandatory"] = 4
      report["code"] = 2
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectConstraintMerge)
      report["code"] = 9
      try context.save()
    }
    try stack.inStore { context in
      let report = try context.report(1)
      #expect(report["scan"] == .binary(scan) && report["scratch"] == .null && report["code"] == 9)
    }
  }

  @Test func `a pushed wide object counts all its slots as changed`() throws {
    let (_, chain) = try makeStack(Arrangement(depth: 1, poolSize: 1))
    try chain.leaf.performAndWait {
      chain.leaf.insertReport(8)
      try chain.leaf.save()
    }
    chain.root.performAndWait {
      let report = chain.root.insertedObjects.first
      #expect(report?.changedValues().count == WideModel.report.slots.count - 1)
      #expect(report?.changedSlots == WideModel.report.everySlot)
    }
  }
}

/// Statements that only a store with SQL has.
@Suite struct WideTableTests {
  @Test func `batch requests and history name slots beyond 64`() throws {
    let stack = try Stack(model: WideModel.model) { $0.tracksHistory = true }
    try stack.seed { $0.insertReport(1) }
    let context = stack.context()
    try context.executeAndWait(
      BatchInsertRequest(
        WideModel.report, objects: [["a0": WideModel.value(of: 0, 2), "a1098": 5, "kept": "gone", "code": 2]]))
    try context.executeAndWait(
      BatchUpdateRequest(WideModel.report, propertiesToUpdate: [WideModel.report.path("a1095"): .constant(8)]))
    try context.performAndWait {
      for seed in 1...2 { #expect(try context.report(seed)["a1095"] == 8) }
      #expect(try context.report(2)["a1098"] == 5)
      let report = try context.report(1)
      (report["a64"], report["a1096"]) = (.double(1), .double(2))
      try context.save()
    }
    try context.executeAndWait(
      BatchDeleteRequest(FetchRequest(WideModel.report, predicate: .equal(WideModel.report.path("a1098"), 5))))
    let changes = try stack.coordinator.execute(.fetchHistory(after: nil)).transactions.flatMap { $0.changes ?? [] }
    #expect(changes.map { $0.updatedProperties ?? [] } == [[], [], ["a1095"], ["a1095"], ["a64", "a1096"], []])
    #expect(changes.last?.tombstone == ["kept": "gone"])
  }

  @Test func `a table with more columns than SQLite allows is refused with its name`() throws {
    func attributes(_ count: Int, _ prefix: String) -> [AttributeDescription] {
      (0..<count).map { AttributeDescription("\(prefix)\($0)", .integer64) }
    }
    let model = ManagedObjectModel([
      .init("Base", attributes: attributes(1_200, "base")),
      .init("First", attributes: attributes(797, "first"), superentity: "Base"),
      .init("Second", attributes: attributes(1, "second"), superentity: "Base"),
    ])
    let error = #expect(throws: PersistenceError.self) { _ = try Stack(model: model) }
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message
        == "entity Base and those that inherit from it need a table of 2001 columns; SQLite allows 2000")
  }

  @Test func `an entity of 1,997 attributes fills a table`() throws {
    let model = ManagedObjectModel([.init("Full", attributes: (0..<1_997).map { .init("a\($0)", .integer64) })])
    let stack = try Stack(model: model)
    try stack.seed { context in
      let object = context.insert(model.entity("Full"))
      for number in 0..<1_997 { object["a\(number)"] = .integer(Int64(number)) }
    }
    try stack.inStore { context in
      let object = try #require(try context.fetch(FetchRequest(model.entity("Full"))).first)
      #expect((0..<1_997).allSatisfy { object["a\($0)"] == .integer(Int64($0)) })
    }
  }
}
