import ContextEngine
import Foundation
import Testing

@testable import SQLitePersistence

/// Values that Core Data has put into files beside the store.
@Suite struct ExternalReferenceTests {
  private static let model = ManagedObjectModel([
    .init("Photo", attributes: [.init("image", .binary, allowsExternalBinaryDataStorage: true)])
  ])

  @Test func `a row that refers to a file beside the store fails its fetch`() throws {
    let fixture = try StoreFixture(model: Self.model)
    let store = try fixture.open()
    let photo = Self.model.entity("Photo")
    let long = Data(repeating: 2, count: 200_000)
    let objectIDs = try store.insert(photo, [[.binary(long)], [.binary(Data([2]))]])
    #expect(try store.all(photo).map { $0.row.value(at: 0) } == [.binary(long), .binary(Data([2]))])
    let name = Data("0B7F2C1E-5A44-4C0D-9E52-6C1B8A7D3F10".utf8).map { String(format: "%02X", $0) }.joined()
    try PlainDatabase(fixture.path).rows("UPDATE ZPHOTO SET ZIMAGE = X'02\(name)00' WHERE Z_PK = 2")
    let error = #expect(throws: PersistenceError.self) { try store.all(photo) }
    #expect(error?.code == .unsupportedRequest && error?.objectIDs == [objectIDs[1]])
    #expect(try store.row(for: objectIDs[0])?.value(at: 0) == .binary(long))
  }
}
