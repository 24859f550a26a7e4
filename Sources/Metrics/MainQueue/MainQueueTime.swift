import MachineCore

/// The time that the main thread spent in a window, by label.
///
/// `mainBusy` + `frameBusy` + idle is the length of the window, and `mainBusy` is exactly the sum of its parts.
package struct MainQueueTime: Hashable, Sendable {
  private var spans = [Span](repeating: .zero, count: TimeLabel.allCases.count)
  /// The CPU time of the blocks that began in the window and are not frames.
  package var mainCPU = Span.zero
  /// The CPU time of the frames that began in the window.
  package var frameCPU = Span.zero

  package init() {}

  package subscript(label: TimeLabel) -> Span {
    get { spans[Int(label.rawValue)] }
    set { spans[Int(label.rawValue)] = newValue }
  }

  /// The time in blocks that are not frames.
  package var mainBusy: Span { total(TimeLabel.mainBusy) }

  /// The time in frames.
  package var frameBusy: Span { total(TimeLabel.frameBusy) }

  private func total(_ labels: [TimeLabel]) -> Span {
    labels.reduce(.zero) { $0 + self[$1] }
  }
}
