/// The trials of a result by stack, in the order in which these first appear.
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

  /// What `body` makes of the trials of each stack.
  func compactMap<Result>(_ body: ([TrialRecord]) -> Result?) -> [Result] {
    names.compactMap { trials[$0].flatMap(body) }
  }
}
