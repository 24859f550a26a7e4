import ContextEngine
import Testing

/// Tests that the checks of the engine's internal state find defects. Each defect is injected while histories run.
@Suite(.onBothStores, .namingTheStore)
struct InvariantTests {
  /// A defect that a bug in the engine might cause.
  enum Defect: String, CaseIterable, Sendable {
    case forgottenInverse
    case leakedRegistration
    case forgottenChange
    case lostSnapshot
    case silentChange
    case miscountedFootprint
    case lostEntry

    /// A part of the sentence that describes the defect.
    var sentence: String {
      switch self {
      case .forgottenInverse: "does not lead back"
      case .leakedRegistration: "is registered 2 times"
      case .forgottenChange: "has local values but no changes"
      case .lostSnapshot: "has no snapshot"
      case .silentChange: "has local values but no changes"
      case .miscountedFootprint: "a recount finds"
      case .lostEntry: "but not registered"
      }
    }

    @Sendable
    func commit(in world: HistoryWorld) {
      for place in world.places {
        place.context.performAndWait { commit(in: place.context) }
      }
    }

    private func commit(in context: ManagedObjectContext) {
      for object in context.registry.allObjects() where !object.isDeleted {
        switch self {
        case .forgottenInverse:
          guard let place = object.toManys.firstIndex(where: { !$0.added.isEmpty }) else { continue }
          object.changeToManys { toManys in
            toManys[place].forgetChanges()
            toManys[place].base = []
          }
        case .leakedRegistration: context.coordinator.rowCache.register(object.objectID)
        case .forgottenChange: object.flags.remove(.updated)
        case .lostSnapshot:
          if object.flags.contains(.updated) { object.snapshot = nil }
        case .silentChange:
          if object.snapshot?.isWhole == true, !object.hasChanges { object.write(.integer(-1), at: 0) }
        case .miscountedFootprint: context.footprint.add(1)
        case .lostEntry:
          if object.hasChanges { context.registry.depart(object) }
        }
      }
    }
  }

  @Test(arguments: Defect.allCases)
  func `an injected defect is found within ten random histories`(defect: Defect) {
    let failures = (1...10).lazy.compactMap { seed -> String? in
      var history = History(seed: seed, stepCount: 60)
      history.defect = defect.commit
      return history.run().failure
    }
    #expect(failures.contains { $0.contains(defect.sentence) })
  }

  @Test func `a failing history is shortened to at most four steps with the same failure`() {
    var history = History(seed: 3)
    history.defect = { world in
      if world.places.contains(where: { $0.level.changes.values.contains(.deleted) }) {
        throw HistoryFailure(sentence: "something was deleted")
      }
    }
    let outcome = history.shortened().run()
    // The deleted object must be inserted and saved first.
    #expect(outcome.failure == "something was deleted")
    #expect(outcome.sentences.count <= 4, "\(outcome.sentences)")
  }
}
