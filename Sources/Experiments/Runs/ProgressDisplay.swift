/// A display that shows the progress of a run.
///
/// Runs may take long, so a command that has a terminal shows one line that changes:
///
/// ```swift
/// progress.show("preparing the workload")
/// defer { progress.clear() }
/// ```
package protocol ProgressDisplay: Sendable {
  /// Replaces the text that is shown.
  func show(_ text: String)
  /// Removes the text that is shown.
  func clear()
}

/// A display that ignores all texts.
package struct NoProgressDisplay: ProgressDisplay {
  package init() {}

  package func show(_ text: String) {}
  package func clear() {}
}

/// A display that puts the name of a run before each text, for commands that have several runs.
package struct PrefixedProgressDisplay: ProgressDisplay {
  let display: any ProgressDisplay
  let prefix: String

  package init(display: any ProgressDisplay, prefix: String) {
    self.display = display
    self.prefix = prefix
  }

  package func show(_ text: String) { display.show(prefix + text) }
  package func clear() { display.clear() }
}
