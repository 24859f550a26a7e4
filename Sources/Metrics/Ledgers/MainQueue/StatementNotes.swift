import Glibc
import MachineCore

/// The SQL statements that the main thread has run since a tick, with the total time of all runs of each.
///
/// The text of each statement is stored once and kept for the length of a trial: an app has only as many texts as it
/// has queries.
struct StatementNotes {
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var numbers: [UInt64: Int] = [:]
  private var times: [Int64] = []
  /// The numbers of the statements that have run, in the order of their first runs.
  private var ran: [Int] = []
  private var hasRun: [Bool] = []
  private var last = -1
  /// The number of the running statement and the instant since which it runs.
  private var open: (number: Int, since: Int64)?

  func deallocate() {
    for text in texts { free(text) }
  }

  /// Records that a statement runs from an instant on, or with nil that the running statement has ended.
  mutating func began(_ statement: RunningStatement?, at instant: Int64) {
    if let open { times[open.number] += max(0, instant - open.since) }
    guard let statement else {
      open = nil
      return
    }
    let number = statement.withCString { self.number(of: $0) }
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

  /// The text of the statement that took longest, the first of several such, or nil if no statement ran.
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
    // The text is usually the same as the last one: one statement fires fault after fault.
    if last >= 0, strcmp(texts[last], text) == 0 { return last }
    var hash = StableHash.hash(of: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    // A text whose hash is taken by another text receives the next free number.
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
}
