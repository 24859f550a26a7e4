import Glibc
import TrialProcesses

/// What one side of a live comparison names: a git revision that is still to be built, or a program that is.
enum ComparedProgram: Hashable, Sendable {
  /// The commit that a revision stands for.
  case revision(name: String, commit: String)
  /// The absolute path of a program.
  case built(name: String, path: String)

  /// As texts name it.
  var title: String {
    switch self {
    case .revision(let name, let commit): name == commit ? name : "\(name) (\(commit.prefix(10)))"
    case .built(let name, _): name
    }
  }

  /// Whether both run the same program.
  func isSame(as other: ComparedProgram) -> Bool {
    switch (self, other) {
    case (.revision(_, let first), .revision(_, let second)): first == second
    case (.built(_, let first), .built(_, let second)): first == second
    default: false
    }
  }

  /// A program where `argument` is the path of one, with a slash in it; a revision otherwise.
  ///
  /// - Throws: `RunFailure` with status 64 for what is neither; `CancellationError`.
  init(_ argument: String, git: ForeignProgram) async throws {
    if argument.contains("/"), ComparedProgram.isProgram(argument) {
      self = .built(name: argument, path: WorkingFolder.absolutePath(argument))
      return
    }
    let found = try await git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(argument)^{commit}"])
    guard found.status == 0 else {
      let complaint = found.complaint.map { ": \($0)" } ?? ""
      throw RunFailure.usage(
        "\(argument): no revision of this git repository, nor the path of a program\(complaint); "
          + "use what 'git rev-parse' knows")
    }
    let commit = found.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    self = .revision(name: argument, commit: commit)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
