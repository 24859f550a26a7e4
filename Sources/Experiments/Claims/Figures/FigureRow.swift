/// The figures of one trial, as far as claims need them.
package struct FigureRow: Hashable, Sendable {
  /// The trial that a row describes.
  package struct Key: Hashable, Sendable {
    /// The identifier of the experiment.
    package var experiment: String
    /// The point of the experiment's grid, as text.
    package var point: String
    /// The title of the stack, the side of the scenario, or the name of the peer.
    package var stack: String
    /// The name of the trial: `device`, `draw 3` or `trial 2`.
    package var trial: String

    package init(experiment: String, point: String, stack: String, trial: String) {
      self.experiment = experiment
      self.point = point
      self.stack = stack
      self.trial = trial
    }

    /// The key in words, for messages.
    package var text: String {
      [experiment, point, stack, trial].filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  package var key: Key
  /// The value of each column by its name. A column without a value is left out.
  package var values: [String: Int64]
}
