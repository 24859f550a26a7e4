import MachineSimulated
import Profiles
import TrialProcesses

/// The input of commands: profiles and files that a user names.
///
/// An error in it is bad usage. Libraries throw errors of their own, which become `RunFailure` here.
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

  /// Returns the profile of that name, or the one in that file.
  ///
  /// - Throws: `RunFailure` of bad usage, one line that names the profile or the file.
  package static func profile(named text: String) throws(RunFailure) -> Profile {
    try read { () throws(ProfileError) in try ProfileLibrary.profile(named: text) }
  }
}
