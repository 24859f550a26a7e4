import Reporting

/// A file or a model in a folder, with a remark about it.
package struct FoundFile: Hashable, Sendable {
  /// The path relative to the folder.
  package let path: String
  /// A few words about the contents, such as `147 records`, or the reason why the file cannot be used.
  package var remark: String

  init(path: String, remark: String) {
    self.path = path
    self.remark = VisibleText.line(remark)
  }
}

/// Returns a number with its noun, in the plural unless the number is 1.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(plural ?? noun + "s")"
}
