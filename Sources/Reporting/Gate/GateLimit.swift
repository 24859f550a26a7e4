import Metrics

/// An upper limit on a measure of a run, and the share of the devices or trials on which a stack has to keep it.
package struct GateLimit: Hashable, Sendable {
  /// The name of the limit in the file.
  package let name: String
  package var limit: AdviceLimit
  /// The share of the devices or trials, in hundredths of a per cent.
  package var share: Int

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - name: The name of the limit in the file.
  ///   - limit: The measure and the greatest allowed value.
  ///   - share: The share of the devices or trials, in hundredths of a per cent. It is above 0 and at most 10,000.
  package init(name: String, limit: AdviceLimit, share: Int = 10_000) {
    self.name = name
    self.limit = limit
    self.share = share
  }

  /// Returns the number of devices or trials that have to keep the limit, of a number of all.
  func requiredCount(of count: Int) -> Int { max(1, (share * count + 9_999) / 10_000) }
}

/// A limit and the values of one stack.
package struct GateLimitResult: Hashable, Sendable {
  package let stack: String
  package let limit: GateLimit
  package let evidence: GateEvidence
  /// The number of devices or trials that keep the limit.
  package let keptCount: Int
  /// The number of all devices or trials.
  package let count: Int
  /// The smallest value that the limit could have and be kept.
  package let value: Int64

  package var isKept: Bool { keptCount >= limit.requiredCount(of: count) }

  /// Creates the result of a stack, or returns nil if a device or trial has no value of the measure.
  package init?(of stack: String, _ limit: GateLimit, in results: GateResults) {
    let samples = results.samples.filter { $0.identity.name == stack }
    let checks = samples.map { limit.limit.check($0.measures) }
    let values = checks.compactMap(\.value).sorted()
    guard !values.isEmpty, values.count == checks.count else { return nil }
    self.stack = stack
    self.limit = limit
    evidence = GateEvidence(of: limit.limit.measure, in: results)
    keptCount = checks.count(where: \.isMet)
    count = checks.count
    value = values[limit.requiredCount(of: count) - 1]
  }
}

/// An error about a limit on a measure that a stack's results do not have.
package struct GateLimitError: Error, Hashable, Sendable {
  package let limit: GateLimit
  package let stack: String
}

// MARK: - Text

extension GateLimit {
  var mostText: String { GateChange.text(Double(limit.most), in: limit.measure.unit) }
  var shareText: String { MeasureText.percent(Double(share) / 10_000) }
}

extension GateLimitResult {
  var valueText: String { GateChange.text(Double(value), in: limit.limit.measure.unit) }
  var keptText: String { "\(keptCount) of \(count)" }

  /// The result as a sentence without a full stop.
  package var sentence: String {
    "\(stack): \(limit.name) is \(valueText) on \(limit.shareText) of the \(evidence.samples), "
      + "\(isKept ? "within" : "above") the limit of \(limit.mostText) (kept on \(keptText), evidence: "
      + "\(evidence.rawValue))"
  }
}
