import ArgumentParser
import Experiments
import TrialProcesses

/// The option that names the stack with which all others are compared.
struct ReferenceFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The stack with which all others are compared, a name or a file: each takes so many times as much. "
        + "(default: the first stack of the run that is a file)",
      valueName: "id[/variant]|file.yaml"),
    completion: .stack)
  var reference: String?

  /// The stack, or nil if the option is not given.
  ///
  /// - Throws: `RunFailure` with status 64 for an unknown name, and for a file that does not describe a stack.
  func stack() throws(RunFailure) -> ReferenceStack? {
    guard let reference else { return nil }
    return try ReferenceStack(reference)
  }
}
