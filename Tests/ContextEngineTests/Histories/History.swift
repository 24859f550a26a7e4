import MachineCore

/// A sequence of steps over a tree of contexts, made from a seed.
struct History: Sendable {
  let seed: Int
  let shape: UInt64
  var steps: [HistoryStep]
  /// A Boolean value that is true if all contexts are compared after each step, and not only now and then.
  private var comparesAlways = false
  /// A defect that is injected after each step, so that a test can check that it is found.
  var defect: (@Sendable (HistoryWorld) throws -> Void)?

  init(seed: Int, stepCount: Int = 200) {
    var random = SeededRandom(seed: UInt64(seed), stream: "histories")
    self.seed = seed
    shape = random.next()
    steps = HistoryStep.random(count: stepCount, &random)
  }

  struct Outcome {
    /// The steps that were carried out, a sentence for each.
    var sentences: [String] = []
    /// The failure of the last step, or nil if all steps succeeded.
    var failure: String?
    /// The number of steps that were begun, including those that could not be carried out.
    var stepCount = 0
  }

  /// Carries the steps out one after the other until one fails, and returns the outcome. All contexts are compared
  /// after each step if `comparesAlways` is true, and now and then otherwise.
  func run(comparesAlways: Bool = false) -> Outcome {
    var outcome = Outcome()
    do {
      let world = try HistoryWorld(shape: shape)
      for (position, step) in steps.enumerated() {
        outcome.stepCount += 1
        let sentence: String?
        do {
          sentence = try world.perform(step)
        } catch {
          outcome.sentences.append(world.underway ?? "\(step.kind)")
          throw error
        }
        guard let sentence else { continue }
        outcome.sentences.append(sentence)
        try defect?(world)
        try world.checkInvariants()
        if comparesAlways || position % 16 == 15 {
          for place in world.places { try world.compare(place) }
        } else if step.fourth % 4 == 0 {
          try world.compare(world.places[step.first % world.places.count])
        }
      }
      for place in world.places { try world.compare(place) }
      try world.compareStore()
      try world.checkInvariants()
    } catch let error as HistoryFailure {
      outcome.failure = error.sentence
    } catch {
      outcome.failure = "\(error)"
    }
    return outcome
  }

  /// Returns the shortest part of a failing history that was found to fail too. The steps after the failure are removed
  /// first. Then steps are left out, many at a time and later few, as long as the rest fails.
  func shortened() -> History {
    var shortest = self
    for comparesAlways in [true, false] {
      let outcome = shortest.run(comparesAlways: comparesAlways)
      if outcome.failure != nil {
        shortest.comparesAlways = comparesAlways
        shortest.steps = Array(shortest.steps.prefix(outcome.stepCount))
        break
      }
    }
    var size = max(1, shortest.steps.count / 2)
    var runCount = 0
    while runCount < Self.runLimit {
      var start = 0
      var hasShrunk = false
      while start < shortest.steps.count {
        var candidate = shortest
        runCount += 1
        candidate.steps.removeSubrange(start..<min(start + size, shortest.steps.count))
        if candidate.run(comparesAlways: shortest.comparesAlways).failure != nil {
          shortest = candidate
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1, !hasShrunk { return shortest }
      size = max(1, size / 2)
    }
    return shortest
  }

  /// The number of runs after which shortening ends.
  private static let runLimit = 150

  /// Returns the text to print for a failing history: its seed, and a shortened history that fails too.
  func report() -> String {
    let shortest = shortened()
    let outcome = shortest.run(comparesAlways: shortest.comparesAlways)
    let list = outcome.sentences.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    return "history \(seed) fails; shortened to \(outcome.sentences.count) steps:\n\(list)\n"
      + (outcome.failure ?? "it does not fail when it is run again")
  }
}
