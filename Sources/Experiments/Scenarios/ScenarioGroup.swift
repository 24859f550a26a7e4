/// The kinds of things that go wrong in scenarios, in the order in which lists and pages have them.
package enum ScenarioGroup: String, CaseIterable, Sendable, Codable {
  /// Threads wait for each other, or misuse stops the process.
  case stop
  /// A call fails, or a context shows or stores something wrong.
  case wrongData = "wrong-data"
  /// Work takes too long, waits too long or uses too much space.
  case slowness

  /// The heading of the group.
  package var title: String {
    switch self {
    case .stop: "Deadlocks and stops"
    case .wrongData: "Errors and wrong data"
    case .slowness: "Slowness and waste"
    }
  }
}
