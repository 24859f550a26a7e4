import MachineCore

/// Sentences that say what was found wrong while the blocks of a row ran.
final class ScriptFindings: Sendable {
  private let complaints = Guarded([String]())

  func complain(_ sentence: String) {
    complaints.withLock { $0.append(sentence) }
  }

  var all: [String] { complaints.withLock { $0 } }

  /// Complains unless a step found as many objects as it should; nil = nobody can say.
  func check(_ count: Int, of entity: String, found expected: Int?, by step: String) {
    guard let expected, count != expected else { return }
    complain("\(step) found \(count) objects of \(entity) where there are \(expected)")
  }
}
