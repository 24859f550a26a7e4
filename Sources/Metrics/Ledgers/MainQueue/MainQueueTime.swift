import MachineCore

/// The time that the main thread spent in a window, by label.
///
/// `mainBusy` + `frameBusy` + idle is the length of the window, and `mainBusy` is exactly the sum of its parts.
package struct MainQueueTime: Hashable, Sendable {
  private var spans = [TimeSpan](repeating: .zero, count: TimeLabel.allCases.count)
  /// The CPU time of the blocks that began in the window and are not frames.
  package var mainCPU = TimeSpan.zero
  /// The CPU time of the frames that began in the window.
  package var frameCPU = TimeSpan.zero
  /// The number of SQL statements that began on the main thread in the window, those of frames included. A series of the same
  /// statement, such as the insertions of a save, counts once.
  package var statementsCount = 0

  package init() {}

  package subscript(label: TimeLabel) -> TimeSpan {
    get { spans[Int(label.rawValue)] }
    set { spans[Int(label.rawValue)] = newValue }
  }

  /// The time in blocks that are not frames.
  package var mainBusy: TimeSpan { total(TimeLabel.mainBusy) }

  /// The time in frames.
  package var frameBusy: TimeSpan { total(TimeLabel.frameBusy) }

  private func total(_ labels: [TimeLabel]) -> TimeSpan {
    labels.reduce(.zero) { $0 + self[$1] }
  }
}
