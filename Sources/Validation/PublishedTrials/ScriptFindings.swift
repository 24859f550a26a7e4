import MachineCore

/// A list of sentences that describe wrong results of a row's blocks.
final class ScriptFindings: Sendable {
  private let complaints = Guarded([String]())

  func complain(_ sentence: String) {
    complaints.withLock { $0.append(sentence) }
  }

  var all: [String] { complaints.withLock { $0 } }

  /// Complains if the number of objects that a step found is not the expected one. With nil, the number is not known.
  func check(_ count: Int, of entity: String, found expected: Int?, by step: String) {
    guard let expected, count != expected else { return }
    complain("\(step) found \(count) objects of \(entity) instead of \(expected)")
  }
}
