import Testing
import Workloads

/// The text of values with parts.
@Suite struct NestedValueTests {
  @Test func `nested values are stored as text with sorted members`() throws {
    try withFeed(#"[{"id":1,"v":[0,{"b":[ {"d":1,"c":[2 ,{}]} ],"a":{"é":"\u0001\"","aa":null}}]}]"#) { archive in
      let value = try archive.answer().tables[0].rows[0].values[1]
      #expect(value == .string(#"[0,{"a":{"aa":null,"é":"\u0001\""},"b":[{"c":[2,{}],"d":1}]}]"#))
    }
  }

  @Test func `whitespace and every kind of value are read`() throws {
    let text = "\r\n\t [ {\"a\" : [ ] , \"b\":{ }\t,\"c\":[ 1 , -0 , 1e5 , 2E-1, true,false , null ]\r}\n]  \n"
    try withFeed(text) { archive in
      let row = try #require(try archive.answer().tables[0].rows.first)
      #expect(row.values.prefix(3) == [.string("[]"), .string("{}"), .string("[1,0,100000.0,0.2,true,false,null]")])
    }
  }
}
