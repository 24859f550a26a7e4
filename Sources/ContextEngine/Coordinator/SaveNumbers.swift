import Synchronization

/// Numbers the saves of a coordinator's contexts, from 1.
final class SaveNumbers: Sendable {
  private let last = Atomic(0)

  func next() -> Int {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
