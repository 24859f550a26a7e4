import ArgumentParser
import MachineCore
import Reporting
import TrialProcesses

/// The first word of a command line, which names a command.
package enum CommandName {
  /// Returns the commands that the help of a program lists, and `help` itself.
  package static func known(of program: any ParsableCommand.Type) -> [String] {
    program.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName } + ["help"]
  }

  /// Returns the name of the command to run or to show help for, or nil if the command line does not name a command.
  package static func first(in arguments: [String]) -> String? {
    var words = arguments.filter { !["-h", "--help"].contains($0) }
    if words.first == "help" { words.removeFirst() }
    return words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  /// Returns the failure for a command that does not exist, or nil if the command exists or the command line does not
  /// name one.
  package static func unknown(in arguments: [String], of program: any ParsableCommand.Type) -> RunFailure? {
    guard let word = first(in: arguments) else { return nil }
    let known = known(of: program)
    let all = program.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !all.contains(word) else { return nil }
    return .usage(
      "\(word): not a command; \(NearestName.clause(word, among: known))use one of "
        + known.joined(separator: ", "))
  }
}
