import ArgumentParser

/// Where the results go.
struct OutputFlags: ParsableArguments {
  private static let standardFolder = "Results/latest"
  private static let later = "comes with the reports, which are not built yet"

  @Option(
    help: ArgumentHelp(
      "The folder of the results; made if it is missing. (default: \(standardFolder))", valueName: "dir"),
    transform: OptionValue.path)
  var output = standardFolder

  @Option(
    help: ArgumentHelp(
      "Where stores live while the trials run; what is made there is removed. (default: the output folder)",
      discussion: "On a file system in memory nothing is durable and commits cost nothing; the table says so then.",
      valueName: "dir"),
    transform: OptionValue.path)
  var scratch: String?

  @Option(
    help: ArgumentHelp("What standard output gets: text. (default: text)", valueName: "text"),
    transform: OptionValue.name(of: ["text"], later: ["json": later, "csv": later]))
  var format = "text"

  @Flag(help: "Print no table and no progress.")
  var quiet = false
}
