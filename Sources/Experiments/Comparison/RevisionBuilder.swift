import Foundation
import TrialProcesses

/// Builds revisions of the repository that the command is called in, in release, one after the other.
///
/// One work tree and one build folder serve all: what two revisions share is built once. Both lie in the scratch folder
/// and go with it, once `forget` has made git forget the work tree.
struct RevisionBuilder: Sendable {
  private let scratch: String
  private let git: ForeignProgram

  init(scratch: String, git: ForeignProgram) {
    self.scratch = scratch
    self.git = git
  }

  private var tree: String { "\(scratch)/tree" }

  /// Builds what is a revision, and returns where its program lies.
  ///
  /// - Parameter place: a name for the folder of the program; names of one length keep the paths' lengths equal.
  /// - Throws: `RunFailure` naming the revision; `CancellationError`.
  func program(of side: ComparedProgram, place: String) async throws -> String {
    guard case .revision(_, let commit) = side else {
      if case .built(_, let path) = side { return path }
      return ""
    }
    try await checkOut(commit, side)
    let swift = ForeignProgram(named: "swift", scratch: scratch)
    let built = try await swift.run([
      "build", "-c", "release", "--product", "stackbench", "--package-path", tree, "--scratch-path", "\(scratch)/build",
    ])
    guard built.status == 0 else {
      throw RunFailure.failed("\(side.title): does not build: \(firstError(of: built))")
    }
    return try keepProgram(of: side, place)
  }

  private func checkOut(_ commit: String, _ side: ComparedProgram) async throws {
    let isFirst = !FileManager.default.fileExists(atPath: tree)
    if isFirst { _ = try await git.run(["worktree", "prune"]) }
    // Hooks are for people's own work trees.
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

  /// Another revision's build replaces what lies in the build folder.
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

  /// What the compiler said first, as one line, with paths as the repository has them.
  private func firstError(of built: ForeignProgram.Ending) -> String {
    let lines = (built.output + "\n" + built.errors).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.contains("error: ") } ?? lines.last ?? "swift ended with status \(built.status)"
    return line.replacingOccurrences(of: tree + "/", with: "")
  }

  /// Removes the work tree, if there is one, and makes git forget it; in a cancelled task, too.
  ///
  /// One that was left behind by a process that was killed outright is forgotten by the next comparison.
  func forget() async {
    guard FileManager.default.fileExists(atPath: tree) else { return }
    let (git, tree) = (git, tree)
    _ = await Task.detached { try? await git.run(["worktree", "remove", "--force", tree]) }.value
  }
}
