import ContextEngine
import Foundation
import Harness
import OutputFiles
import Workloads

extension PrepareTask {
  /// Copies the store from which the run starts, if there is one, to the place of the store with the existing rows.
  static func copyStore(_ plan: Plan) throws {
    guard let store = plan.workload.store else { return }
    guard let document = try plan.workload.modelDocument() else {
      throw RunFailure(
        kind: .badUsage,
        [.setting(.store), " \(store): needs the model of the app; add ", .setting(.model), " with its path"])
    }
    let model: EngineModel
    do {
      model = try EngineModel(document)
    } catch {
      throw WorkloadError(.invalidOption, error.description)
    }
    let target = URL(fileURLWithPath: plan.baseStore)
    do throws(FileError) {
      _ = try StartingStore(
        copying: store, into: target.deletingLastPathComponent().path, named: target.lastPathComponent,
        model: model.model)
    } catch {
      switch error.code {
      case .fullDisk: throw RunFailure(kind: .diskFull, "\(error)")
      case .unwritable: throw RunFailure.failed("\(error)")
      default: throw RunFailure(kind: .badUsage, [.setting(.store), " \(error)"])
      }
    }
  }

  /// Returns a function that reads the rows of the copied store.
  static func rowsReader(of plan: Plan) -> StartingRowsReader {
    { (schema: WorkloadSchema) throws(WorkloadError) -> StartingRows in
      do throws(VerificationError) {
        return try StartingRows(reading: URL(fileURLWithPath: plan.baseStore), schema: schema)
      } catch {
        throw WorkloadError(.unusableStore, "cannot be read: \(error.message)")
      }
    }
  }
}
