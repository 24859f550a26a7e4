import ArgumentParser
import Experiments
import InputFiles
import Reporting
import TrialProcesses

/// The flags of `validate`: the comparison that it makes, and its extent.
package struct ValidationFlags: ParsableArguments {
  package static let standardFolder = "Results/validation"

  package static let command = CommandConfiguration(
    commandName: "validate",
    abstract: "Compares the simulated machine with the live one, or with published measurements.",
    discussion: """
      The command runs the six stacks on four workloads, live on this computer and simulated on its profile. It \
      prints import time, the main queue's busy time, the CPU time and the waiting in it, and the 99th \
      percentile of stalls, each live and simulated with the error. The live figure is the median of runs that \
      take turns over stacks and workloads. An error is a share of the live figure, for waiting a share of the \
      busy time, and for a stall below one tick a share of the tick. The workloads are inserts, upserts, \
      relationships, and scrolling with edits.

      The yardstick, a fixed piece of work, measures the computer's speed around each live run. Import, busy and \
      CPU times are converted to the median yardstick. CPU costs of a profile with a yardstick are multiplied by \
      the ratio of the two. The difference between two halves of the live runs is the floor under every error. \
      Ranks are also compared over only those pairs of stacks that live runs separate, by 5 % and by more than \
      either spread. The main thread's time is also compared cause by cause, for each stack and workload and over \
      all workloads, in causes.csv. Both files are written anew after each round of live runs.

      A published table is run in virtual time on the device on which it was measured. Every figure is printed \
      with its error, and with whether it is within the figure's band. A table is a YAML file; the shipped ones \
      are \(PublishedNames.shipped.joined(separator: ", ")). With all of them, profiles are also compared \
      with constraints: figures of other libraries, and benchmarks of processors. A constraint that does not \
      hold is not a failure.

      Status: 0 success; 1 a run failed, its data did not verify, or an order that a published table requires does not \
      come out; 64 bad usage; 130 interrupted; the rounds that had ended are kept.
      """)

  @Option(
    help: ArgumentHelp(
      "Instead: runs the rows of a published table on the device that it was measured on, published beside simulated; "
        + "the name of a shipped table, all of them, or a table of your own.",
      valueName: "name|file.yaml|all"),
    completion: .list([PublishedNames.all] + PublishedNames.shipped), transform: OptionValue.path)
  package var published: String?

  @Option(
    help: ArgumentHelp(
      "The simulated device. (default: \(ValidationRequest.standardProfile); of a published table, the device that it was measured on)",
      valueName: "name|file.yaml"),
    completion: .list(ProfileLibrary.shippedNames), transform: OptionValue.path)
  package var profile: String?

  @Option(
    in: 50...1_000_000,
    help: "Records imported in each run; not for published tables. (default: \(ValidationRequest.standardRows))")
  package var rows: Int?

  @Option(
    in: 1...1_000, help: "Live runs of each stack on each workload. (default: \(ValidationRequest.standardTrials))")
  package var trials: Int?

  @Option(
    in: 0...100,
    help:
      "Times that a live run is repeated where the computer's speed changed during it by more than 10 %; in all at most "
      + "half as many as there are runs. 0 = never. (default: \(Experiment.standardRepeatLimit))")
  package var repeatLimit = Experiment.standardRepeatLimit

  @Flag(
    inversion: .prefixedNo,
    help: """
      Bind main to one core and all other threads to the rest, in live and simulated runs, so that waking a thread \
      always costs the same; where the process may use two cores.
      """)
  package var pin = true

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of the random numbers. (default: 1)", valueName: "n"),
    transform: OptionValue.seed)
  package var seed: UInt64 = 1

  @Flag(
    help: """
      With --published all: fits how Core Data divides its time, and the speeds and storage of the devices, to the fitted \
      rows of all tables, and prints them; --output receives them as profiles.
      """)
  package var fit = false

  @Option(
    folder: "The folder of validation.csv and causes.csv, or of published.csv and published.md; made if it is missing. "
      + "(default: \(standardFolder); a published table is only printed)")
  package var output: String?

  @Option(
    folder:
      "The folder of the stores during the runs. Files made there are removed. (default: the output folder; of a published table, "
      + "the system's for temporary files)")
  package var scratch: String?

  @Option(formats: [.text, .json], valueName: "text|json") package var format = OutputFormat.text

  @Flag(help: "Print no table and no progress.")
  package var quiet = false

  package init() {}
}

// MARK: - Meaning

extension ValidationFlags {
  /// Returns the request that the flags describe. The paths of its folders are absolute.
  ///
  /// - Throws: `RunFailure` with status 64 for flags that contradict each other.
  package func request() throws -> ValidationRequest {
    try check()
    var request = ValidationRequest()
    request.profile = profile
    request.rows = rows
    request.trials = trials
    request.repeatLimit = repeatLimit
    request.isPinned = pin
    request.seed = seed
    request.fits = fit
    request.scratch = scratch.map(WorkingFolder.absolutePath)
    request.output = (output ?? (published == nil ? Self.standardFolder : nil)).map(WorkingFolder.absolutePath)
    request.isJSON = format == .json
    request.usesColour = StandardOutput.showsColour
    return request
  }

  private func check() throws {
    guard let published else {
      if fit { throw RunFailure.usage("--fit: concerns published tables only; add --published all") }
      return
    }
    if trials != nil {
      throw RunFailure.usage("--trials: concerns live runs; leave it out beside --published \(published)")
    }
    if rows != nil {
      throw RunFailure.usage(
        "--rows: a published table says how many objects; leave it out beside --published \(published)")
    }
    guard fit else { return }
    if published != PublishedNames.all {
      throw RunFailure.usage("--fit: fits to all tables at once; use it with --published \(PublishedNames.all)")
    }
    if profile != nil || format == .json {
      let flag = profile == nil ? "--format json" : "--profile"
      throw RunFailure.usage("\(flag): does not go with --fit, which prints text of all devices; leave it out")
    }
  }
}
