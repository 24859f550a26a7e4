import OutputFiles
import TrialProcesses

extension OutputFolder {
  /// Makes the folder if it is missing, and proves that the files of a result can be written there.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the folder.
  ///   - flag: The flag that named the folder, with which messages begin, or nil if the user did not name it.
  ///   - sharing: The other commands that may write to the folder at the same time.
  ///   - files: The names of the files that the command may write.
  /// - Throws: `RunFailure` with status 64 if the folder cannot be made or written to; with status 1 while another
  ///   command writes to it, or if the disk is full.
  package init(
    _ path: String, flag: String? = nil, sharing: Sharing = .none, files: Set<String> = []
  ) throws(RunFailure) {
    do throws(FileError) {
      try self.init(path, sharing: sharing, files: files) { StoredResult.leftover(in: $0, of: path) }
    } catch {
      let kind: RunFailure.Kind =
        switch error.code {
        case .busy: .failed
        case .fullDisk: .diskFull
        default: .badUsage
        }
      throw RunFailure(kind: kind, "\(flag.map { "\($0) " } ?? "")\(error)")
    }
  }
}
