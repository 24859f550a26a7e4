import ArgumentParser
import MachineSimulated

/// `stackbench profiles`: what `--profile` can name.
struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "Lists the devices that a simulated machine can stand for; shows one with what everything costs on it.",
    discussion: """
      A profile of your own is a YAML file. It lists every constant, or takes the CPU costs of a shipped profile \
      (ratiosOf) times a factor (cpuScale). Every constant has a value, a range and a source. Costs are in nanoseconds.
      """)

  @Argument(
    help: ArgumentHelp("One profile: the name of a shipped one, or a file.", valueName: "name|file.yaml"),
    completion: .list(ProfileLibrary.shippedNames), transform: OptionValue.path)
  var name: String?

  func run() throws {
    print(try text())
  }
}

// MARK: - Text

extension ProfilesCommand {
  func text() throws(CommandFailure) -> String {
    guard let name else { return ProfileList(profiles: try ProfileLibrary.shipped()).text }
    return ProfileSheet(profile: try ProfileLibrary.profile(named: name)).text
  }
}
