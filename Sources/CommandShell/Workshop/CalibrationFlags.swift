import ArgumentParser
import Experiments

/// The flags of `calibrate`.
package struct CalibrationFlags: ParsableArguments {
  private static let standardOutput = "Results/host.yaml"
  private static let standardSeconds = 30

  /// The largest mean error at which a profile is accurate enough to be written.
  package static let errorLimit = 0.35

  package static let command = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measures what each kind of work costs on this computer and writes it as a profile.",
    discussion: """
      The command runs small parts of the engine's work on the live machine, with real files, at several sizes, \
      in many short rounds of random order. It fits the cost of each kind of work. Each cost is drawn towards \
      the shipped reference, multiplied by a factor of this computer for the class of the work. The report gives \
      the error with which the other scenarios predict each scenario. If the mean error is above \
      \(Int(100 * errorLimit)) %, or if other programs kept the computer busy, no profile is written. The command \
      takes less than a minute on a computer that does nothing else.

      --from FILE.csv fits measurements from another device, such as a phone. Its header is \
      scenario,size,cpu_ns, then storage_ns if syncs were measured, then kinds of work as 'stackbench profiles \
      host' lists them, such as rowWritten, and rowWritten_bytes if a kind has bytes. A line is one scenario at \
      one size: the CPU time that it took, the time that it waited for storage, and the amount of each kind of \
      work. An empty field is 0. A cost that no line determines is the reference's, multiplied by the factor of \
      its class. --measurements FILE.csv writes the measurements of this computer in the same form.

      Status: 0 success; 1 the scenarios do not predict each other or the computer was busy, and no profile was \
      written; 64 bad usage, damaged input, or a file that cannot be written.
      """)

  @Option(
    help: ArgumentHelp("The profile that is written. (default: \(standardOutput))", valueName: "file.yaml"),
    transform: OptionValue.path)
  package var output = standardOutput

  @Option(
    help: ArgumentHelp("Fit these measurements instead of measuring.", valueName: "file.csv"),
    transform: OptionValue.path)
  package var from: String?

  @Option(
    help: ArgumentHelp("Also write the measurements.", valueName: "file.csv"), transform: OptionValue.path)
  package var measurements: String?

  @Option(help: ArgumentHelp("The name of the profile.", valueName: "name"))
  package var name = "host"

  @Option(help: ArgumentHelp("The title of the profile. (default: the processor and its cores)", valueName: "text"))
  package var title: String?

  @Option(
    in: 1...3_600,
    help: "The time to measure for. A longer time gives results that agree better. (default: \(standardSeconds))",
    valueName: "s")
  package var seconds = standardSeconds

  @Flag(help: "Take over the factors of the classes of work alone, which is never refused.")
  package var classesOnly = false

  @Flag(help: "If the measurements are refused, take over the factors of the classes alone instead, and print that.")
  package var fallBack = false

  /// True to treat the measurements of `--from` as counted instructions and to write a reference of costs instead of a
  /// profile. `.ci/reference` uses this flag.
  @Flag(help: ArgumentHelp("Write the counted instructions as a reference of costs.", visibility: .hidden))
  package var asReference = false

  @Flag(help: "Print no table and no progress.")
  package var quiet = false

  package init() {}
}
