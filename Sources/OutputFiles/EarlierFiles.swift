import Foundation

/// The files of a folder that a new result replaces; all other files stay in the folder.
package struct EarlierFiles: Sendable {
  /// A function that returns true for the name of a file of the earlier result.
  package var isReplaced: @Sendable (String) -> Bool
  /// The files without which a folder holds no result. They are removed first and written last.
  package var marks: Set<String>
  /// The names of subfolders in which the entries that `isReplaced` accepts are replaced too, such as the folders of
  /// runs in a gate's baseline.
  package var folders: Set<String> = []
  /// The way in which the earlier files are kept, or nil if they are removed.
  package var keeping: Keeping?

  /// The folder in which an earlier result is kept.
  package struct Keeping: Sendable {
    /// The day after which the folder is named, as in `2026-07-29`.
    package var day: String
    /// A function that writes a note to the folder with the path that it receives, or nil if the folder has its note.
    package var writeNote: (@Sendable (_ path: String) throws(FileError) -> Void)?

    package init(day: String, writeNote: (@Sendable (_ path: String) throws(FileError) -> Void)?) {
      self.day = day
      self.writeNote = writeNote
    }

    /// Returns the day of a date in UTC, as in `2026-07-29`. Manifests use UTC as well.
    package static func day(of date: Date) -> String {
      String(date.formatted(.iso8601).prefix("2026-07-29".count))
    }
  }

  package init(
    isReplaced: @escaping @Sendable (String) -> Bool, marks: Set<String>, folders: Set<String> = [],
    keeping: Keeping? = nil
  ) {
    self.isReplaced = isReplaced
    self.marks = marks
    self.folders = folders
    self.keeping = keeping
  }
}
