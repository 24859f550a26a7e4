import MachineCore
import Synchronization

/// A word that describes what one thread is doing and that other threads may read at any time: its innermost activity,
/// its queue, and the turn for which it is parked.
///
/// A word is used rather than a lock, because every activity of every thread writes it and reads are rare: only the
/// main thread reads it, when it has to wait for a turn that the thread holds. Words are never freed. The token of a
/// thread selects its word, so that at most the last 1,024 threads are known.
struct ThreadDoing {
  private let word: UnsafeMutablePointer<Atomic<UInt64>>
  private let tokenBits: UInt64

  // The layout from the highest bit: 24 bits of the token, 16 bits each for the queue and the awaited turn, and 8 bits
  // for the number of the activity. No activity has the number 0xff.
  private static let tokenMask: UInt64 = 0xff_ffff
  private static let tokenShift: UInt64 = 40
  private static let queueShift: UInt64 = 24
  private static let awaitedShift: UInt64 = 8
  private static let noActivity: UInt64 = 0xff

  private static let wordCount: UInt = 1_024
  // `nonisolated(unsafe)`: the pointer never changes, and what it points to is atomic.
  private nonisolated(unsafe) static let words: UnsafeMutablePointer<Atomic<UInt64>> = {
    let words = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: Int(wordCount))
    for index in 0..<Int(wordCount) { (words + index).initialize(to: Atomic(0)) }
    return words
  }()

  init(token: UInt) {
    word = Self.word(ofToken: token)
    tokenBits = Self.bits(ofToken: token)
  }

  private static func word(ofToken token: UInt) -> UnsafeMutablePointer<Atomic<UInt64>> {
    words + Int(token / 2 % wordCount)
  }

  private static func bits(ofToken token: UInt) -> UInt64 {
    (UInt64(token) & tokenMask) << tokenShift
  }
}

// MARK: - Writing and reading

extension ThreadDoing {
  @inline(__always)
  func publish(_ activity: Activity?, on queue: Name, awaiting awaited: Name) {
    let low = activity.map { UInt64($0.number) } ?? Self.noActivity
    let bits =
      tokenBits | UInt64(queue.number) << Self.queueShift | UInt64(awaited.number) << Self.awaitedShift | low
    word.pointee.store(bits, ordering: .relaxed)
  }

  /// Returns what the thread with the token is doing, or nil if the thread has not published it or another thread has
  /// taken its word.
  static func known(ofToken token: UInt) -> TurnHolder? {
    let bits = word(ofToken: token).pointee.load(ordering: .relaxed)
    guard bits & (tokenMask << tokenShift) == Self.bits(ofToken: token) else { return nil }
    return TurnHolder(
      queue: Name(number: UInt16(truncatingIfNeeded: bits >> queueShift)).textIfAny,
      activity: Activity(number: UInt8(truncatingIfNeeded: bits)),
      awaited: Name(number: UInt16(truncatingIfNeeded: bits >> awaitedShift)).textIfAny)
  }
}

// MARK: - Names

extension ThreadDoing {
  /// The label of a queue or lock as a number; equal labels have equal numbers.
  ///
  /// Labels are kept for the life of the process. There is room for 65,534 different labels; further labels get no
  /// name.
  struct Name: Hashable, Sendable {
    fileprivate let number: UInt16

    static let none = Name(number: 0)
    static let clock = Name("clock")

    fileprivate init(number: UInt16) {
      self.number = number
    }

    /// Creates the name of a label. Takes a lock, so names are created once for each queue and lock.
    init(_ label: String) {
      number = Self.labels.withLock { labels in
        if let known = labels.numbers[label] { return known }
        guard labels.texts.count < Int(UInt16.max) else { return 0 }
        let number = UInt16(labels.texts.count)
        labels.texts.append(label)
        labels.numbers[label] = number
        return number
      }
    }

    var text: String { Self.labels.withLock { $0.texts[Int(number)] } }

    fileprivate var textIfAny: String? { number == 0 ? nil : text }

    private struct Labels: Sendable {
      var texts = [""]
      var numbers: [String: UInt16] = [:]
    }

    private static let labels = Guarded(Labels())
  }
}
