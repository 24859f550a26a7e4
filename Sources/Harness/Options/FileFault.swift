/// A fault in a call of a trial's store on its files.
package struct FileFault: Codable, Hashable, Sendable {
  package var kind: Kind
  /// The number of the call among the calls of the fault's kinds, counted from 1 at the start of the import.
  package var number: Int

  package init(_ kind: Kind, at number: Int) {
    self.kind = kind
    self.number = number
  }

  /// The kinds of faults. The raw value is the name on the command line.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// A write fails.
    case write
    /// A write fails after half of its bytes.
    case tornWrite = "torn-write"
    /// A write succeeds but changes nothing, as on a device that loses data.
    case lostWrite = "lost-write"
    /// A write finds the disk full, as do all later ones.
    case full
    /// The disk becomes read-only before a write, truncation or deletion.
    case readOnly = "read-only"
    case sync, open, read, truncate, delete
    /// The power is cut before a write, sync, truncation or deletion.
    case powerCut = "power-cut"
  }
}

extension FileFault: CustomStringConvertible {
  /// The fault as it is written on the command line.
  package var description: String { "\(kind.rawValue):\(number)" }
}
