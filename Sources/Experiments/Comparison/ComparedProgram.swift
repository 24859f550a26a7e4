import Glibc
import TrialProcesses

/// The program of one side of a live comparison: a git revision that must still be built, or a program that is built
/// already.
enum ComparedProgram: Hashable, Sendable {
  /// A revision as the user named it, and the hash of its commit.
  case revision(name: String, commit: String)
  /// A program as the user named it, and its absolute path.
  case built(name: String, path: String)

  /// The name of the program in texts: the name that the user gave and, for a revision whose name is not the commit's
  /// hash, the first ten digits of that hash.
  var title: String {
    switch self {
    case .revision(let name, let commit): name == commit ? name : "\(name) (\(commit.prefix(10)))"
    case .built(let name, _): name
    }
  }

  /// Returns true if both are the same commit or the same path.
  func isSame(as other: ComparedProgram) -> Bool {
    switch (self, other) {
    case (.revision(_, let first), .revision(_, let second)): first == second
    case (.built(_, let first), .built(_, let second)): first == second
    default: false
    }
  }

  /// Creates a program if `argument` contains a slash and is the path of an executable file, or otherwise a revision.
  ///
  /// - Throws: `RunFailure` with status 64 if `argument` is neither; `CancellationError` if the task is cancelled.
  init(_ argument: String, git: ForeignProgram) async throws {
    if argument.contains("/"), ComparedProgram.isProgram(argument) {
      self = .built(name: argument, path: WorkingFolder.absolutePath(argument))
      return
    }
    let found = try await git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(argument)^{commit}"])
    guard found.status == 0 else {
      let complaint = found.complaint.map { ": \($0)" } ?? ""
      throw RunFailure.usage(
        "\(argument): neither a revision of this git repository nor the path of a program\(complaint); "
          + "use a name that 'git rev-parse' accepts")
    }
    let commit = found.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    self = .revision(name: argument, commit: commit)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
