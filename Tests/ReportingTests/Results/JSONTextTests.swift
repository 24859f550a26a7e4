import Testing

@testable import Reporting

@Suite struct JSONTextTests {
  private struct Document: Encodable {
    let isKept = true
    let issue = 1
    let atMost = 2
    let mainCPUNanoseconds = 3
    let changePartsPerMillion = 4
    let publishedTotalMilliseconds = 5
    let probability = 6
    let namedByData = ["aB": 7]

    private enum CodingKeys: String, CodingKey {
      case isKept, issue, atMost, mainCPUNanoseconds, changePartsPerMillion, publishedTotalMilliseconds, namedByData
      case probability = "p_holm"
    }
  }

  @Test func `members have the names of properties, and keys of dictionaries stay`() throws {
    #expect(
      try JSONText.text(of: Document()) == """
        {
          "at_most" : 2,
          "change_ppm" : 4,
          "issue" : 1,
          "kept" : true,
          "main_cpu_ns" : 3,
          "named_by_data" : {
            "aB" : 7
          },
          "p_holm" : 6,
          "published_total_ms" : 5
        }

        """)
  }
}
