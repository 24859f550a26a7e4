import Metrics

/// The differences in a stack's work from the baseline, which explain why its times and sizes have changed.
package struct GateExplanation: Hashable, Sendable {
  /// A counter of reported work that has changed.
  package struct Counter: Hashable, Sendable {
    package let name: String
    package let before: Double
    package let now: Double

    package var share: Double? { GateChange.share(from: before, to: now) }
  }

  /// A kind of work for which the profile charged another cost than in the baseline, on any thread.
  package struct Charge: Hashable, Sendable {
    /// The role and the kind, as in `ui faultFired`.
    package let work: String
    package let before: Int64
    package let now: Int64

    package var nanoseconds: Int64 { now - before }
  }

  /// The counters that have changed, in descending order of their shares. Counters that were 0 come first.
  package let counters: [Counter]
  /// The charges that have changed, in descending order of their differences; empty if one of the manifests does not
  /// record charges.
  package let charges: [Charge]

  package var isEmpty: Bool { counters.isEmpty && charges.isEmpty }
}

// MARK: - Finding it

extension GateExplanation {
  /// Finds the counters and charges of a stack that have changed.
  ///
  /// - Parameters:
  ///   - changes: The changes of all measures of the stack.
  ///   - charged: The costs that the profile charged to the stack's first trial, by kind of work; nil if a manifest
  ///     does not list them.
  init(of changes: [GateChange], charged: (before: [String: Int64]?, now: [String: Int64]?)) {
    counters = changes.filter { $0.measure.isWork && $0.before != $0.now }.map {
      Counter(name: $0.measure.name, before: $0.before, now: $0.now)
    }.sorted { left, right in
      // A counter that was 0 has no share and comes first.
      (left.share?.magnitude ?? .infinity, right.name) > (right.share?.magnitude ?? .infinity, left.name)
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
