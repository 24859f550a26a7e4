/// The trials of a result grouped by stack, in the order in which the stacks first appear.
struct TrialsByStack {
  private(set) var names: [String] = []
  private(set) var trials: [String: [TrialRecord]] = [:]

  init(_ records: [TrialRecord]) {
    for record in records {
      let name = record.identity.name
      if trials[name] == nil { names.append(name) }
      trials[name, default: []].append(record)
    }
  }

  /// Returns the results of calling `body` with the trials of each stack, without those that are nil.
  func compactMap<Result>(_ body: ([TrialRecord]) -> Result?) -> [Result] {
    names.compactMap { trials[$0].flatMap(body) }
  }
}
