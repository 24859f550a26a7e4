import ArgumentParser
import Experiments
import Profiles
import TrialProcesses
import Validation

/// The flags of `validate`: the comparison that it makes, and its extent.
struct ValidationFlags: ParsableArguments {
  static let standardFolder = "Results/validation"
  private static let formats = ["text", "json"]

  @Option(
    help: ArgumentHelp(
      "Instead: runs the rows of a published table on the device that it was measured on, published beside simulated; "
        + "the name of a shipped table, all of them, or a table of your own.",
      valueName: "name|file.yaml|all"),
    completion: .list([PublishedLibrary.allName] + PublishedLibrary.shippedNames), transform: OptionValue.path)
  var published: String?

  @Option(
    help: ArgumentHelp(
      "The simulated device. (default: \(ValidationRequest.standardProfile); of a published table, the device that it was measured on)",
      valueName: "name|file.yaml"),
    completion: .list(ProfileLibrary.shippedNames), transform: OptionValue.path)
  var profile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Records imported in each run; not for published tables. (default: \(ValidationRequest.standardRows))",
      valueName: "n"),
    transform: OptionValue.integer(in: 50...1_000_000))
  var rows: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Live runs of each stack on each workload. (default: \(ValidationRequest.standardTrials))", valueName: "n"),
    transform: OptionValue.integer(in: 1...1_000))
  var trials: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Times that a live run is repeated where the computer's speed changed during it by more than 10 %; in all at most "
        + "half as many as there are runs. 0 = never. (default: \(TrialRepeats.standardLimit))", valueName: "n"),
    transform: OptionValue.integer(in: 0...100))
  var repeatLimit = TrialRepeats.standardLimit

  @Flag(
    inversion: .prefixedNo,
    help: """
      Bind the main thread of live runs to one core and all others to the rest, so that waking a thread always costs the \
      same; where the process may use two cores.
      """)
  var pin = true

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of the random numbers. (default: 1)", valueName: "n"),
    transform: OptionValue.seed)
  var seed: UInt64 = 1

  @Flag(
    help: """
      With --published all: fits how Core Data divides its time, and the speeds and storage of the devices, to the fitted \
      rows of all tables, and prints them; --output receives them as profiles.
      """)
  var fit = false

  @Flag(
    help: """
      Also compares the main thread's time cause by cause, for each stack and workload and over all workloads; written \
      to causes.csv beside validation.csv.
      """)
  var byCause = false

  @Option(
    help: ArgumentHelp(
      "The folder of validation.csv, or of published.csv and published.md; made if it is missing. "
        + "(default: \(standardFolder); a published table is only printed)", valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the stores during the runs. Files made there are removed. (default: the output folder; of a published table, "
        + "the system's for temporary files)", valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var scratch: String?

  @Option(
    help: ArgumentHelp("The format of standard output: text or json. (default: text)", valueName: "text|json"),
    completion: .list(formats),
    transform: OptionValue.name(of: formats))
  var format = "text"

  @Flag(help: "Print no table and no progress.")
  var quiet = false
}

// MARK: - Meaning

extension ValidationFlags {
  /// Returns the request that the flags describe. The paths of its folders are absolute.
  ///
  /// - Throws: `RunFailure` with status 64 for flags that contradict each other.
  func request() throws -> ValidationRequest {
    try check()
    var request = ValidationRequest()
    request.profile = profile
    request.rows = rows
    request.trials = trials
    request.repeatLimit = repeatLimit
    request.isPinned = pin
    request.seed = seed
    request.fits = fit
    request.isByCause = byCause
    request.scratch = scratch.map(WorkingFolder.absolutePath)
    request.output = (output ?? (published == nil ? Self.standardFolder : nil)).map(WorkingFolder.absolutePath)
    request.isJSON = format == "json"
    request.usesColour = StandardOutput.showsColour
    return request
  }

  private func check() throws {
    guard let published else {
      if fit { throw RunFailure.usage("--fit: concerns published tables only; add --published all") }
      return
    }
    if byCause {
      throw RunFailure.usage("--by-cause: concerns live runs; leave it out beside --published \(published)")
    }
    if trials != nil {
      throw RunFailure.usage("--trials: concerns live runs; leave it out beside --published \(published)")
    }
    if rows != nil {
      throw RunFailure.usage(
        "--rows: a published table says how many objects; leave it out beside --published \(published)")
    }
    guard fit else { return }
    if published != PublishedLibrary.allName {
      throw RunFailure.usage("--fit: fits to all tables at once; use it with --published \(PublishedLibrary.allName)")
    }
    if profile != nil || format == "json" {
      let flag = profile == nil ? "--format json" : "--profile"
      throw RunFailure.usage("\(flag): does not go with --fit, which prints text of all devices; leave it out")
    }
  }
}
