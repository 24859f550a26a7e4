import Dispatch
import MachineCore
import Testing

@Suite struct GuardedTests {
  @Test func `threads that contend for a guarded value lose no update`() {
    let numbers = Shared(Guarded([Int]()))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for step in 0..<2_000 {
        numbers.value.withLock { $0.append(thread * 2_000 + step) }
      }
    }
    #expect(numbers.value.withLock { $0.sorted() } == Array(0..<8_000))
  }

  @Test func `an error thrown under the guard keeps its type, and the lock is released`() {
    struct Refusal: Error {
      var number: Int
    }

    let guarded = Guarded(1)
    var number = 0
    do throws(Refusal) {
      try guarded.withLock { (value) throws(Refusal) in
        value += 1
        throw Refusal(number: value)
      }
    } catch {
      number = error.number
    }
    #expect(number == 2)
    #expect(guarded.withLock { $0 } == 2)
  }

  @Test func `a guarded value is released with its guard`() {
    final class Object: Sendable {}

    weak var object: Object?
    do {
      let own = Object()
      object = own
      let guarded = Guarded([own])
      #expect(guarded.withLock { $0.count } == 1)
    }
    #expect(object == nil)
  }

  /// A value that cannot be copied, for closures to share.
  private final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) {
      self.value = value
    }
  }
}
