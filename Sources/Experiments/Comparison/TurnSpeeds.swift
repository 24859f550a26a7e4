import Metrics

/// The yardsticks that a live comparison measures between the trials of its two sides, in the order of time.
///
/// This program measures them for both sides, so that the code that a compiler generated for the yardstick of another
/// version has no influence. The yardstick of a trial is the mean of the readings right before and right after it.
struct TurnSpeeds: Sendable {
  /// The trials in the order of time.
  private var turns: [Turn] = []
  /// The latest reading in nanoseconds, or nil before the first.
  private var last: Int64?

  private struct Turn {
    /// The index of the side, 0 or 1.
    let side: Int
    let pair: YardstickPair
  }

  /// Adds a reading, in nanoseconds.
  ///
  /// `side` is the index of the side whose trial the reading follows, or nil for the reading before the first trial.
  mutating func add(_ nanoseconds: Int64, after side: Int?) {
    if let side, let last {
      turns.append(Turn(side: side, pair: YardstickPair(beforeNanoseconds: last, afterNanoseconds: nanoseconds)))
    }
    last = nanoseconds
  }

  /// The change of the computer's speed over all trials of both sides, or nil if there are no trials.
  var drift: YardstickDrift? { YardstickDrift(of: turns.map(\.pair)) }

  /// Returns the trials of one side with the measured yardsticks in place of their own.
  ///
  /// - Returns: The trials, or nil if one of them has no yardstick, which means that its program's version does
  ///   different work before and after a trial. The result is also nil if the number of trials is not the number of
  ///   turns.
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
  /// Returns the trials of two sides at a common speed: the trials of one stack in one pair are scaled to the mean of
  /// their yardsticks.
  ///
  /// A difference in speed between the engines remains, because the yardstick shares no code with the engine.
  ///
  /// `pair` returns the number of the pair that a trial belongs to, or nil if the trial does not count. Trials that do
  /// not count stay unchanged.
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
