import { assert, describe, it } from "@effect/vitest"
import { escape, Flag, fixed, html, UnsafeHole } from "../src/html/Html.ts"

const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&\u202Eevil\u0000`

/** Makes a template exactly as written; a formatter would repair a literal one. */
const of =
  (...strings: ReadonlyArray<string>) =>
  (...holes: ReadonlyArray<Parameters<typeof html>[1]>) =>
    html(Object.assign([...strings], { raw: strings }), ...holes)

describe("the html template", () => {
  it("escapes text and attributes, including direction marks and control characters", () => {
    const { text } = html`<p title="${evil}">${evil}</p>`
    assert.notInclude(text, "<script>")
    assert.notInclude(text, "<img")
    assert.notInclude(text, "\u202E")
    assert.strictEqual(text.match(/"/g)?.length, 2)
    assert.strictEqual(escape(`<&"'>`), "&lt;&amp;&quot;&#39;&gt;")
  })

  it("inserts parts and lists of parts unchanged, and nothing for null", () => {
    const parts = ["a", "<b>"].map((one) => of("<li>", "</li>")(one))
    assert.strictEqual(
      of("<ul>", "", "", "</ul>")(parts, null, undefined).text,
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>"
    )
    const flags = of("<input", "", " />")(new Flag("checked", true), new Flag("disabled", false))
    assert.strictEqual(flags.text, "<input checked />")
  })

  it.each([
    ["in a script", of('<script>var a = "', '"</script>')],
    ["in a style", of("<style>p { color: ", " }</style>")],
    ["in a style after a tag inside it", of("<style>a > b<i></i>", "</style>")],
    ["in a handler", of('<a onclick="', '">x</a>')],
    ["in a handler with capitals", of('<a OnClick="', '">x</a>')],
    ["in a style attribute", of('<a style="', '">x</a>')],
    ["in the source of a frame", of('<iframe srcdoc="', '"></iframe>')],
    ["in an attribute without quotes", of("<a title=", ">x</a>")],
    ["in an attribute with single quotes", of("<a title='", "'>x</a>")],
    ["as the name of an attribute", of("<a ", '="1">x</a>')],
    ["as the name of a tag", of("<", ">x</a>")],
    ["as the end of the name of a tag", of("<a", ">x</a>")],
    ["as the name of a closing tag", of("<a>x</", ">")],
    ["in a comment", of("<!-- ", " -->")]
  ])("refuses a placeholder %s", (_, make) => {
    assert.throws(() => make(evil), UnsafeHole)
  })

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "//evil.example/",
    "http://evil.example/",
    "evil"
  ])("refuses the address %s", (address) => {
    assert.throws(() => html`<a href="${address}">x</a>`, UnsafeHole)
    assert.throws(() => html`<form action="${address}"></form>`, UnsafeHole)
  })

  it("accepts addresses of the page itself, and https", () => {
    for (const address of ["/a/b?c=d", "#x", "?a=b", "https://verify.example/?a=1&b=2"])
      assert.include(html`<a href="${address}">x</a>`.text, escape(address))
  })

  it("refuses markup in an attribute", () => {
    assert.throws(() => html`<a title="${fixed("<b>")}">x</a>`, UnsafeHole)
  })
})
