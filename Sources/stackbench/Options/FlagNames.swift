import ArgumentParser

/// The flags of the commands, for those that pass flags on to `run` and so do not know all of them themselves.
enum FlagNames {
  /// Returns the names of a command's flags, without their dashes, hidden ones included.
  static func of(_ command: any ParsableCommand.Type) -> [String] {
    let help = Stackbench.helpMessage(for: command, includeHidden: true, columns: 10_000)
    return help.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\s+(?:-[a-z], )?--([a-z][a-z0-9-]*)/).map { String($0.output.1) }
    }
  }

  /// Refuses a word that is a flag of neither the command nor `run`, with the name that was probably meant.
  ///
  /// - Parameter words: The words that the command passes on to `run`.
  /// - Throws: `CommandFailure` with status 64.
  static func check(_ words: [String], of command: any ParsableCommand.Type) throws {
    let flags = words.filter { $0.hasPrefix("--") && $0.count > 2 }.map { String($0.prefix { $0 != "=" }) }
    guard !flags.isEmpty else { return }
    let known = (of(command) + of(RunCommand.self)).map { "--\($0)" }
    guard let unknown = flags.first(where: { !known.contains($0) }) else { return }
    let name = command.configuration.commandName ?? ""
    throw CommandFailure.usage(
      "\(unknown): unknown flag; \(NearestName.clause(unknown, among: known))see 'stackbench \(name) --help' and "
        + "'stackbench run --help'")
  }
}
