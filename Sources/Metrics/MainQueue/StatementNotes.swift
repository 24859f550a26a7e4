import Glibc

/// The SQL statements that the main thread has run since a tick, and how long each took, all its runs together.
///
/// Every text is kept once, for as long as a trial lasts: there are as many as an app has queries.
struct StatementNotes {
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var numbers: [UInt64: Int] = [:]
  private var times: [Int64] = []
  /// Those that ran, in the order in which they did first.
  private var ran: [Int] = []
  private var hasRun: [Bool] = []
  private var last = -1
  /// The one that runs, and since when.
  private var open: (number: Int, since: Int64)?

  func deallocate() {
    for text in texts { free(text) }
  }

  /// A statement runs from here on; nil = none does any more.
  mutating func began(_ text: UnsafePointer<CChar>?, at instant: Int64) {
    if let open { times[open.number] += max(0, instant - open.since) }
    guard let text else {
      open = nil
      return
    }
    let number = number(of: text)
    noteRun(number)
    open = (number, instant)
  }

  mutating func restart(at instant: Int64) {
    for number in ran {
      times[number] = 0
      hasRun[number] = false
    }
    ran.removeAll(keepingCapacity: true)
    guard let open else { return }
    self.open = (open.number, max(open.since, instant))
    noteRun(open.number)
  }

  /// The one that took longest, of several the first; nil if none ran.
  var longest: String? {
    var best: Int?
    for number in ran where best.map({ times[number] > times[$0] }) ?? true { best = number }
    return best.map { String(cString: texts[$0]) }
  }

  private mutating func noteRun(_ number: Int) {
    if hasRun[number] { return }
    hasRun[number] = true
    ran.append(number)
  }

  private mutating func number(of text: UnsafePointer<CChar>) -> Int {
    // The same again, as a rule: fault after fault by one statement.
    if last >= 0, strcmp(texts[last], text) == 0 { return last }
    var hash = Self.hash(of: text)
    // Two texts of one hash are told apart by taking the next number for it.
    while let known = numbers[hash] {
      if strcmp(texts[known], text) == 0 {
        last = known
        return known
      }
      hash &+= 1
    }
    last = texts.count
    numbers[hash] = last
    texts.append(strdup(text))
    times.append(0)
    hasRun.append(false)
    return last
  }

  /// FNV-1a. O(length of the text).
  private static func hash(of text: UnsafePointer<CChar>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var position = text
    while position.pointee != 0 {
      hash = (hash ^ UInt64(UInt8(bitPattern: position.pointee))) &* 0x100_0000_01b3
      position += 1
    }
    return hash
  }
}
