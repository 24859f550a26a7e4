import ArgumentParser

/// The command `stackbench`.
@main
struct Stackbench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stackbench",
    abstract: "Measures what an import does to the UI of an app, for each way of wiring managed object contexts.",
    version: "0.1.0")
}
