import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Profiles

/// The measurements from which a profile is fitted, and what is known of the computer that they were made on.
package struct CalibrationData {
  package var rows: [WorkMeasurement]
  /// The title of the profile.
  package var title: String
  /// The place where the measurements were made, as the profile names it.
  package var origin: String
  package var hardware: Hardware
  package var handOver: HandOverMeter.HandOver?
  package var yardstick: Span?
  /// The text that is printed after the table, or an empty text.
  package var note = ""
}

extension CalibrationData {
  /// Reads measurements of another device from a table.
  ///
  /// They show what work costs there. The hardware is that of `host`, since the table does not name it.
  ///
  /// - Throws: `RunFailure` with status 64 for a table that cannot be read.
  package init(path: String, host: ProfileDeclaration) throws {
    let file = URL(fileURLWithPath: path).lastPathComponent
    var hardware = host.hardware
    hardware.source = "assumption: as host; \(file) does not tell"
    self.init(
      rows: try MeasurementTable(path: path).measurements, title: "Measurements in \(file)", origin: file,
      hardware: hardware)
  }
}
