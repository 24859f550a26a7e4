import MachineCore
import Synchronization

/// What one thread is doing, in a word that another may read at any time: its innermost activity, its queue, what it is
/// parked for.
///
/// A word and not a lock, since every activity of every thread writes it and hardly anybody reads: only the main thread does,
/// when it has to wait for what the thread holds. Words are never freed; a thread gets the one that its token falls on, so
/// that no more than the last 1,024 threads are known.
struct ThreadDoing {
  private let word: UnsafeMutablePointer<Atomic<UInt64>>
  private let tokenBits: UInt64

  // From the top: 24 bits of the token, 16 each of both names, 8 of the activity, 0xff where there is none.
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
    let low = activity.map { UInt64($0.rawValue) } ?? Self.noActivity
    let bits =
      tokenBits | UInt64(queue.number) << Self.queueShift | UInt64(awaited.number) << Self.awaitedShift | low
    word.pointee.store(bits, ordering: .relaxed)
  }

  /// What the thread with that token is doing; nil where nothing has been heard of it.
  static func known(ofToken token: UInt) -> TurnHolder? {
    let bits = word(ofToken: token).pointee.load(ordering: .relaxed)
    guard bits & (tokenMask << tokenShift) == Self.bits(ofToken: token) else { return nil }
    return TurnHolder(
      queue: Name(number: UInt16(truncatingIfNeeded: bits >> queueShift)).textIfAny,
      activity: Activity(rawValue: UInt8(truncatingIfNeeded: bits)),
      awaited: Name(number: UInt16(truncatingIfNeeded: bits >> awaitedShift)).textIfAny)
  }
}

// MARK: - Names

extension ThreadDoing {
  /// The label of a queue or lock as a number: equal labels have one.
  ///
  /// Labels are kept as long as the process lives. There is room for 65,534 different ones; those beyond have no name.
  struct Name: Hashable, Sendable {
    fileprivate let number: UInt16

    static let none = Name(number: 0)
    static let clock = Name("clock")

    fileprivate init(number: UInt16) {
      self.number = number
    }

    /// Takes a lock: made once for each queue and lock, and not in between.
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
