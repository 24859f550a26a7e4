import Foundation
import TrialProcesses

/// Builds revisions of the git repository in the working folder, one after the other, in release configuration.
///
/// All revisions use the same work tree and the same build folder, so that their common parts are built once. Both are
/// in the scratch folder and are removed with it, after `forget` has removed the work tree from git's list.
struct RevisionBuilder: Sendable {
  private let scratch: String
  private let git: ForeignProgram

  init(scratch: String, git: ForeignProgram) {
    self.scratch = scratch
    self.git = git
  }

  /// The path of the work tree.
  private var tree: String { "\(scratch)/tree" }

  /// Returns the path of a side's program, which is built first if the side is a revision.
  ///
  /// - Parameters:
  ///   - side: The revision, or the program that is built already.
  ///   - place: The name of the folder that gets the program of a revision. If both sides' names are equally long, so
  ///     are the paths of their programs.
  /// - Returns: The path of the program.
  /// - Throws: `RunFailure` if the revision cannot be checked out or built, or if its program cannot be copied;
  ///   `CancellationError` if the task is cancelled.
  func program(of side: ComparedProgram, place: String) async throws -> String {
    guard case .revision(_, let commit) = side else {
      if case .built(_, let path) = side { return path }
      return ""
    }
    try await checkOut(commit, for: side)
    let swift = ForeignProgram("swift", scratch: scratch)
    let built = try await swift.run([
      "build", "-c", "release", "--product", "stackbench", "--package-path", tree, "--scratch-path", "\(scratch)/build",
    ])
    guard built.status == 0 else {
      throw RunFailure.failed("\(side.title): does not build: \(firstError(of: built))")
    }
    return try keepProgram(of: side, place)
  }

  private func checkOut(_ commit: String, for side: ComparedProgram) async throws {
    let isFirst = !FileManager.default.fileExists(atPath: tree)
    if isFirst { _ = try await git.run(["worktree", "prune"]) }
    // Hooks are disabled, since they are meant for the user's own work trees.
    let done = try await git.run(
      ["-c", "core.hooksPath=/dev/null"]
        + (isFirst
          ? ["worktree", "add", "--detach", "--force", tree, commit]
          : ["-C", tree, "checkout", "--detach", "--force", "--quiet", commit]))
    guard done.status == 0 else {
      throw RunFailure.failed(
        "\(side.title): cannot be checked out: \(done.complaint ?? "git ended with status \(done.status)")")
    }
  }

  /// Copies the program out of the build folder, whose contents the next revision's build replaces, and returns the
  /// path of the copy.
  private func keepProgram(of side: ComparedProgram, _ place: String) throws -> String {
    let folder = "\(scratch)/\(place)"
    let program = "\(folder)/stackbench"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: "\(scratch)/build/release/stackbench", toPath: program)
    } catch {
      throw RunFailure.unexpected(error, "\(side.title): its program cannot be copied: ", in: scratch)
    }
    return program
  }

  /// Returns the compiler's first error as one line, with paths relative to the repository. If no line contains an
  /// error, the result is the last line of the output.
  private func firstError(of built: ForeignProgram.Ending) -> String {
    let lines = (built.output + "\n" + built.errors).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.contains("error: ") } ?? lines.last ?? "swift ended with status \(built.status)"
    return line.replacingOccurrences(of: tree + "/", with: "")
  }

  /// Removes the work tree, if there is one, also from git's list of work trees. This works in a cancelled task, too.
  ///
  /// If the process is killed before that, the next comparison removes the missing work tree from git's list.
  func forget() async {
    guard FileManager.default.fileExists(atPath: tree) else { return }
    let (git, tree) = (git, tree)
    _ = await Task.detached { try? await git.run(["worktree", "remove", "--force", tree]) }.value
  }
}
