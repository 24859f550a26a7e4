import ArgumentParser
import CommandShell
import Experiments
import InputFiles
import MachineSimulated
import TrialProcesses

/// The command `stackbench profiles`, which lists the values of `--profile` or describes one of them.
struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "Lists the devices that can be simulated, or shows one of them with all its costs.",
    discussion: """
      Your own profile is a YAML file. It lists every constant in nanoseconds, or takes the CPU costs of the \
      shipped reference (costsOf: reference). Those are instructions of this engine, which are multiplied by the \
      nanoseconds that an instruction takes (speed). A device that runs Core Data multiplies them by the factors \
      of a shape (shape: core-data), and a computer may have its own factors for classes of work (factors). \
      Every constant has a value, a range and a source. 'stackbench profiles reference' and 'stackbench profiles \
      core-data' show what the devices share.
      """)

  @Argument(
    help: ArgumentHelp("One profile: the name of a shipped one, or a file.", valueName: "profile"),
    completion: .list(ProfileLibrary.shippedNames), transform: OptionValue.path)
  var name: String?

  func run() throws {
    StandardOutput.write("\(try text())\n")
  }
}

// MARK: - Text

extension ProfilesCommand {
  func text() throws(RunFailure) -> String {
    try UserInput.read { () throws(ProfileError) in
      switch name {
      case nil:
        ProfileList(
          profiles: try ProfileLibrary.shipped(), reference: try ProfileLibrary.reference(),
          shape: try ProfileLibrary.shape()
        ).text
      case ProfileLibrary.referenceName: SharedCostSheet(try ProfileLibrary.reference()).text
      case ProfileLibrary.shapeName: SharedCostSheet(try ProfileLibrary.shape()).text
      case let name?: ProfileSheet(profile: try ProfileLibrary.profile(named: name)).text
      }
    }
  }
}
