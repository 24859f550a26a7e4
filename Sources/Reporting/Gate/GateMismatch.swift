/// A reason why a run, or a part of it, cannot be compared with the baseline, described in one line.
package struct GateMismatch: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A run that only one of the two has.
    case run
    /// A stack's row that only one of the two has.
    case rows
    /// A measure that was taken only one time.
    case measure
    /// The results have other columns, or the manifest has another form.
    case schema
    /// The baseline was recorded by a newer version of this program or with another version of SQLite.
    case version
    case configuration
    case profile
    /// A flag that determines what is run.
    case workload
    /// The stores hold other data.
    case data
    /// A trial that failed, or whose data did not verify.
    case unverified
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
