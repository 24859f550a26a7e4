import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// The times at which new objects get permanent IDs, and the queues on which their keys are reserved.
@Suite struct PermanentIDLaws {
  /// Returns the inserted IDs that the import's did-save named, and the number of times that keys were reserved.
  private func importing(
    _ topology: Topology, _ rule: Topology.PermanentIDs
  ) throws -> (isTemporary: [Bool], reservations: [Statement]) {
    var topology = topology
    topology.permanentIDs = rule
    let saves = Journal<[ObjectID]>()
    let name = topology.importContext
    let bench = try StackUnderTest(topology) { context in
      guard context.name == name else { return }
      _ = context.observeDidSave { save in
        if !save.insertedIDs.isEmpty { saves.write(save.insertedIDs) }
      }
    }
    bench.importPayload([[.insert(100), .insert(101)]])
    #expect(bench.screens.failures.entries.isEmpty)
    #expect(try bench.file.productCount(id: 100) == 1)
    let reservations = bench.statements.entries.filter { $0.sql.hasPrefix("UPDATE") && $0.sql.contains("Z_PRIMARYKEY") }
    return (saves.entries.joined().map(\.isTemporaryID), reservations)
  }

  @Test(arguments: Topology.known)
  func `permanent IDs before the save need one reservation of keys`(topology: Topology) throws {
    let isChild = topology.contexts.first { $0.name == topology.importContext }?.parent != nil
    // The transactions and changes of a history have keys too.
    let count = topology.otherCoordinators.isEmpty ? 1 : 5
    let without = try importing(topology, .never)
    #expect(without.isTemporary == [isChild, isChild])
    #expect(without.reservations.count == count, "\(without.reservations.map(\.sql))")
    let with = try importing(topology, .beforeSave)
    #expect(with.isTemporary == [false, false])
    #expect(with.reservations.count == count, "\(with.reservations.map(\.sql))")
    // A child of main asks through main, so the reservation is an UPDATE on the main thread.
    let parent = topology.contexts.first { $0.name == topology.importContext }?.parent
    if parent == "main" { #expect(with.reservations.map(\.place.isOnMain) == [true]) }
  }
}
