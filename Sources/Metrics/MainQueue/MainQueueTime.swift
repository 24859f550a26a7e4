import MachineCore

/// How the main thread spent a window.
///
/// Laws: `mainBusy` + `frameBusy` + idle = the window; `mainBusy` is the sum of its parts exactly.
package struct MainQueueTime: Hashable, Sendable {
  private var spans = [Span](repeating: .zero, count: TimeLabel.allCases.count)
  /// CPU of the blocks that are not frames and began in the window.
  package var mainCPU = Span.zero
  /// CPU of the frames that began in the window.
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
