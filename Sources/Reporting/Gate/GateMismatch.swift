/// Why a run cannot be compared with the baseline, or not as a whole: what differs, in one line.
package struct GateMismatch: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A run that only one of the two has.
    case run
    /// A stack's row that only one of the two has.
    case rows
    /// A measure that was taken only one time.
    case measure
    /// Other columns, or another form of the manifest.
    case schema
    /// A version of this program that is newer, or another SQLite.
    case version
    case configuration
    case profile
    /// What was run: a flag.
    case workload
    /// Other data in the stores.
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
