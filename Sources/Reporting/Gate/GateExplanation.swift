import Metrics

/// What a stack did otherwise than in the baseline: why its times and sizes have changed.
package struct GateExplanation: Hashable, Sendable {
  /// A counter of reported work that has changed.
  package struct Counter: Hashable, Sendable {
    package let name: String
    package let before: Int64
    package let now: Int64

    package var partsPerMillion: Int64? { Int64.partsPerMillion(from: before, to: now) }
  }

  /// A kind of work that the profile charged otherwise, on whatever thread.
  package struct Charge: Hashable, Sendable {
    /// The role and the kind, as in `ui faultFired`.
    package let work: String
    package let before: Int64
    package let now: Int64

    package var nanoseconds: Int64 { now - before }
  }

  /// The largest share first; those that were 0 before all others.
  package let counters: [Counter]
  /// The largest difference first; empty where one of the manifests does not tell.
  package let charges: [Charge]

  package init(counters: [Counter] = [], charges: [Charge] = []) {
    self.counters = counters
    self.charges = charges
  }

  package var isEmpty: Bool { counters.isEmpty && charges.isEmpty }
}

// MARK: - Finding it

extension GateExplanation {
  /// - Parameters:
  ///   - before: The measures of the stack in the baseline.
  ///   - charged: What the profile charged, by kind of work; nil where the manifest does not say.
  init(
    from before: TrialMeasures, to now: TrialMeasures, charged: (before: [String: Int64]?, now: [String: Int64]?)
  ) {
    counters = Measure.all.filter(\.isWork).compactMap { measure -> Counter? in
      guard let old = before[keyPath: measure.keyPath], let new = now[keyPath: measure.keyPath], old != new else {
        return nil
      }
      return Counter(name: measure.name, before: old, now: new)
    }.sorted { left, right in
      // Nothing to compare with weighs most.
      (left.partsPerMillion?.magnitude ?? .max, right.name) > (right.partsPerMillion?.magnitude ?? .max, left.name)
    }
    guard let old = charged.before, let new = charged.now else {
      charges = []
      return
    }
    charges = Set(old.keys).union(new.keys).sorted().map { work in
      Charge(work: work, before: old[work] ?? 0, now: new[work] ?? 0)
    }.filter { $0.nanoseconds != 0 }.sorted { left, right in
      (left.nanoseconds.magnitude, right.work) > (right.nanoseconds.magnitude, left.work)
    }
  }
}
