import ArgumentParser

/// Where the results go.
struct OutputFlags: ParsableArguments {
  private static let standardFolder = "Results/latest"

  @Option(
    help: ArgumentHelp(
      "The folder of the results; made if it is missing. (default: \(standardFolder))", valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var output = standardFolder

  @Option(
    help: ArgumentHelp(
      "Where stores live while the trials run; what is made there is removed. (default: the output folder)",
      discussion: "On a file system in memory nothing is durable and commits cost nothing; the table says so then.",
      valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var scratch: String?

  @Option(
    help: ArgumentHelp(
      "What standard output gets: text (tables), json or csv (the rows of summary.csv). (default: text)",
      valueName: "text|json|csv"),
    completion: .list(RunFormat.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: RunFormat.allCases.map(\.rawValue)))
  var format = RunFormat.text.rawValue

  @Flag(help: "Print no results and no progress.")
  var quiet = false
}
