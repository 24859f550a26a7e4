import Metrics

/// The yardsticks that a live comparison reads between the trials of its two sides, in the order of time.
///
/// This program reads them for both sides, so that what the compiler made of the yardstick in another version plays no
/// part. Each trial has the mean of the readings right before and right after it.
struct TurnSpeeds: Sendable {
  /// The trials in the order of time.
  private var turns: [Turn] = []
  private var last: Int64?

  private struct Turn {
    /// 0 or 1.
    let side: Int
    let pair: YardstickPair
  }

  /// Adds a reading that follows a trial of a side, or the one before the first trial.
  mutating func add(_ nanoseconds: Int64, after side: Int?) {
    if let side, let last {
      turns.append(Turn(side: side, pair: YardstickPair(beforeNanoseconds: last, afterNanoseconds: nanoseconds)))
    }
    last = nanoseconds
  }

  /// Returns the drift over all trials of both sides, or nil without any.
  var drift: YardstickDrift? { YardstickDrift(of: turns.map(\.pair)) }

  /// Returns the trials of one side with the yardsticks around them in place of their own, or nil if one of them has none
  /// of its own: it is of a version that did other work before and after a trial.
  func measured(_ trials: [TrialRecord], of side: Int) -> [TrialRecord]? {
    let own = turns.filter { $0.side == side }
    guard own.count == trials.count, trials.allSatisfy({ $0.measures.yardstickNanoseconds != nil }) else { return nil }
    return zip(trials, own).map { trial, turn in
      var trial = trial
      trial.noise.yardstick = turn.pair
      trial.measures.yardstickNanoseconds = turn.pair.meanNanoseconds
      return trial
    }
  }
}

// MARK: - Pairs

extension TurnSpeeds {
  /// Returns the trials of two sides at a common speed: those of one stack in one pair at the mean of their yardsticks.
  ///
  /// An engine that is slower stays as much slower, because the yardstick shares no code with it.
  ///
  /// - Parameter pair: Returns the number of the pair that a trial belongs to, or nil if it does not count.
  static func atCommonSpeed(
    _ first: [TrialRecord], _ second: [TrialRecord], pair: (TrialRecord) -> Int?
  ) -> (first: [TrialRecord], second: [TrialRecord]) {
    struct Place: Hashable {
      let stack: String
      let pair: Int
    }
    func place(_ trial: TrialRecord) -> Place? {
      pair(trial).map { Place(stack: trial.identity.name, pair: $0) }
    }
    let yardsticks = Dictionary(grouping: first + second, by: place)
      .mapValues { $0.compactMap(\.measures.yardstickNanoseconds) }
    func scaled(_ trial: TrialRecord) -> TrialRecord {
      guard let place = place(trial), let known = yardsticks[place], !known.isEmpty else { return trial }
      var trial = trial
      trial.measures = trial.measures.atYardstick(known.reduce(0) { $0 + Double($1) } / Double(known.count))
      return trial
    }
    return (first.map(scaled), second.map(scaled))
  }
}
