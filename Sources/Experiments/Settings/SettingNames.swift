import Workloads

/// The flags for the fields of a workload that its errors name.
package enum SettingNames {
  /// Returns an error of a workload as a message that begins with the flag and its value.
  package static func message(of error: WorkloadError) -> String {
    guard let field = error.field else { return "\(error)" }
    return "\(SettingFlag.named(name(of: field))) \(field.value): \(error.message)"
  }

  private static func name(of field: WorkloadError.Field) -> String {
    let settings = RunSettings.all
    return switch field.kind {
    case .workload: settings.workload.name
    case .rows: settings.rows.name
    case .existingRows: settings.existingRows.name
    case .batchSize: settings.batchSize.name
    case .mix: settings.mix.name
    case .lanes: settings.concurrentImports.name
    case .overlap: settings.overlap.name
    case .list: settings.list.name
    case .listSort: settings.listSort.name
    case .listCondition: settings.listWhere.name
    case .listPrefetch: settings.listPrefetch.name
    case .listCells: settings.listCells.name
    }
  }
}
