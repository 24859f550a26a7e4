import InputFiles
import MachineSimulated
import TrialProcesses

/// The input of commands: profiles and files that a user names.
///
/// An error in the input is bad usage. The errors that libraries throw become a `RunFailure` here.
package enum UserInput {
  /// Returns the value of a body that reads input.
  ///
  /// - Throws: `RunFailure` of bad usage with the text of the body's error.
  package static func read<Value, Problem: Error & CustomStringConvertible>(
    _ body: () throws(Problem) -> Value
  ) throws(RunFailure) -> Value {
    do throws(Problem) {
      return try body()
    } catch {
      throw .usage(error.description)
    }
  }

  /// Returns the profile for `text`, which is the name of a shipped profile or the path of a file.
  ///
  /// - Throws: `RunFailure` of bad usage if the profile cannot be read, with one line that names the profile or the
  ///   file.
  package static func profile(named text: String) throws(RunFailure) -> Profile {
    try read { () throws(ProfileError) in try ProfileLibrary.profile(named: text) }
  }
}
