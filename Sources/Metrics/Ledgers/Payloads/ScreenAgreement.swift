import MachineCore

/// The saves of the import that each screen shows, and the spans in which screens show different ones.
///
/// Screens disagree if one has fetched its list after a save that another screen does not show yet. Screens that share a
/// context and merge saves never disagree, because they fetch once.
struct ScreenAgreement: Sendable {
  /// The number of saves so far.
  private var saveCount = 0
  /// The number of saves that each screen shows.
  private var shown: [Int]
  /// The fetches of the open main block.
  private var pending: [(screen: Int, saveCount: Int)] = []
  /// The ends of main blocks after which screens agree or disagree, beginning with the first disagreement.
  private var changes: [(end: Instant, agrees: Bool)] = []

  init(screenCount: Int) {
    shown = Array(repeating: 0, count: screenCount)
  }

  /// Records that a save of the import is committed.
  mutating func saved() {
    saveCount += 1
  }

  /// Records that a screen begins to fetch its list again in the running main block. It shows all saves so far after
  /// that block.
  mutating func fetched(by screen: Int) {
    pending.append((screen, saveCount))
  }

  /// Records that the running main block ends.
  mutating func blockEnded(at instant: Instant) {
    guard !pending.isEmpty else { return }
    for (screen, saveCount) in pending { shown[screen] = saveCount }
    pending.removeAll(keepingCapacity: true)
    let agrees = shown.allSatisfy { $0 == shown.first }
    if agrees != (changes.last?.agrees ?? true) { changes.append((instant, agrees)) }
  }

  /// Returns the time within a window for which the display showed screens that disagree.
  func disagreement(in window: Window, shownBy frames: FrameTimeline) -> TimeSpan {
    var total = TimeSpan.zero
    for (place, change) in changes.enumerated() where !change.agrees {
      let begin = frames.instantShown(whatIsHeldAt: change.end) ?? window.end
      let end = place + 1 < changes.count ? frames.instantShown(whatIsHeldAt: changes[place + 1].end) : nil
      total = total + max(.zero, min(end ?? window.end, window.end) - max(begin, window.start))
    }
    return total
  }
}
