import TrialProcesses

extension ForeignProgram {
  /// Returns gnuplot.
  ///
  /// - Throws: `RunFailure` with status 64 if it is not installed.
  static func gnuplot(in scratch: ScratchFolder) throws -> ForeignProgram {
    let gnuplot = ForeignProgram("gnuplot", scratch: scratch.path)
    guard gnuplot.isInstalled else {
      throw RunFailure.usage(
        "no charts: gnuplot is not installed; install it (Debian: apt-get install gnuplot-nox) and run this again")
    }
    return gnuplot
  }
}
