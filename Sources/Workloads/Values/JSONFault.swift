import Foundation

/// A sentence that describes an error of `JSONDecoder`, such as `no member name at [3].tags`. An error that is not a
/// `DecodingError` is described by its own text.
struct JSONFault {
  var sentence: String

  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init(text: (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)")
      return
    }
    switch error {
    case .keyNotFound(let key, let context):
      self.init(text: "no member \(key.stringValue)\(JSONFault.place(context.codingPath))")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      self.init(text: context.debugDescription + JSONFault.place(context.codingPath))
    @unknown default:
      self.init(text: "\(error)")
    }
  }

  private init(text: String) {
    sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
    if text.hasPrefix("Unexpected end of file") { sentence = "the text ends too early" }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    let steps = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
    return steps.isEmpty ? "" : " at \(steps.joined())"
  }
}
