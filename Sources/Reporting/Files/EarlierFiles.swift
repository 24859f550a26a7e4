/// The files of a folder that a new result takes the place of; all others stay in the folder.
package struct EarlierFiles: Sendable {
  /// Returns true for the name of a file of the earlier result.
  package var isReplaced: @Sendable (String) -> Bool
  /// The files without which a folder holds no result: they go first and come last.
  package var marks: Set<String>
  /// Entries that are folders themselves: of those the same names are replaced, or, of a folder of charts, `.svg` files.
  package var folders: Set<String> = []
  /// The way in which the earlier files are kept, or nil if they are removed.
  package var keeping: Keeping?

  /// The folder in which an earlier result is kept.
  package struct Keeping: Sendable {
    /// The day that the new folder is called after, as in `2026-07-29`.
    package var day: String
    /// The note that the folder gets, or nil if it has one.
    package var origin: ResultOrigin?

    package init(day: String, origin: ResultOrigin?) {
      self.day = day
      self.origin = origin
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
