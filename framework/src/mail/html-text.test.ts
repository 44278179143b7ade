import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlText } from './html-text.ts'

const link = 'https://a.example/reset/1?x=1&y=2'
const href = link.replace('&', '&amp;')

for (const [what, html, text] of [
  ['white space collapses', ' <p>\n  one\n  <b>two</b>,\tthree </p>\n', 'one two, three'],
  ['entities are decoded', '<p>&lt;b&gt; &amp; &eacute;</p>', '<b> & é'],
  [
    'a no-break space stays',
    '<p>Prêt\u202f! «\u00a0Oui\u00a0»</p>',
    'Prêt\u202f! «\u00a0Oui\u00a0»',
  ],
  ['paragraphs are apart', '<p>one</p><p></p><p>two</p>three', 'one\n\ntwo\n\nthree'],
  ['blocks end a line', '<div>one</div><div><div>two</div></div>three', 'one\ntwo\nthree'],
  ['a line break is one', 'one<br>two<br><br>three', 'one\ntwo\n\nthree'],
  ['a long paragraph is one line', `<p>${'word '.repeat(99)}</p>`, 'word '.repeat(99).trim()],
  ['the first heading is underlined', '<h1>The title</h1><h2>A</h2>', 'The title\n=========\n\nA'],
  ['an empty heading is nothing', '<h1> </h1>one', 'one'],
  ['an image is its text', '<img src="x.png" alt="Our shop"> is open', 'Our shop is open'],
  ['items have a dash', 'One:<ul>\n<li>a<br>b</li>\n<li>c</li></ul>', 'One:\n\n- a\n  b\n- c'],
  ['lists are nested', '<ul><li>a<ul><li>b</li></ul></li></ul>', '- a\n\n  - b'],
  ['a citation is marked', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n\n> b\n\nc'],
  [
    'pre is indented and keeps its spaces',
    '<p>a</p><pre>\n1\n  2\n</pre>b',
    'a\n\n    1\n      2\n\nb',
  ],
  [
    'rows are apart and cells are not',
    '<table><tr><td>a</td><td>1</td></tr><tr><td><p>b</p></td></tr></table>',
    'a 1\n\nb',
  ],
  [
    'head, style and what is hidden is left out',
    '<head><title>a</title></head><style>b</style><div style="color: red; DISPLAY:none">c</div><p hidden>d</p>e',
    'e',
  ],
  ['so is what is only for HTML', '<p data-html-only>a</p><p>b<i data-html-only> c</i></p>', 'b'],
  ['a signature begins with dashes', '<p>a</p><div data-signature><p>b</p></div>', 'a\n\n-- \nb'],
  ['nothing is nothing', '', ''],
] as const) {
  test(`${what}: ${JSON.stringify(html).slice(0, 60)}`, () => {
    assert.equal(htmlText(html), text)
  })
}

for (const [what, html, text] of [
  [
    'after its line',
    `<p>See <a href="${href}">this page</a>, now.</p>b`,
    `See this page, now.\n${link}\n\nb`,
  ],
  ['of a button after its label', `<table><tr><td><a href="${href}">Go</a></table>`, `Go\n${link}`],
  ['of a block after it', `<a href="${href}"><div>Go</div></a>b`, `Go\n${link}\nb`],
  ['in an item with its indentation', `<ul><li><a href="${href}">Go</a></ul>`, `- Go\n  ${link}`],
  ['that is the text once', `<p>Open <a href="${href}">\n${href}\n</a> now`, `Open ${link} now`],
  ['of a heading below its line', `<h1><a href="${href}">Go</a></h1>`, `Go\n==\n${link}`],
  [
    'of several links in a row once',
    `<a href="${href}">a</a> <a href="${href}">b</a>`,
    `a b\n${link}`,
  ],
  [
    'again if another came between',
    '<a href="/a">a</a><p><a href="/b">b</a><p><a href="/a">c</a>',
    'a\n/a\n\nb\n/b\n\nc\n/a',
  ],
  [
    'that was just printed not again',
    `<p><a href="${href}">Go</a></p><p><a href="${href}">${href}</a></p>`,
    `Go\n${link}`,
  ],
  [
    'of mail without its scheme',
    '<a href="mailto:a@b.example">Write</a> <a href="mailto:a@b.example">a@b.example</a>',
    'Write a@b.example',
  ],
  ['within the page not at all', '<a name="x">a</a> <a href="#x">b</a> <a href="">c</a>', 'a b c'],
] as const) {
  test(`an address ${what}`, () => {
    assert.equal(htmlText(html), text)
  })
}

test('no line ends with a space, and no value can begin one', () => {
  const value = 'Ada\n\n-- \nforged'
  const text = htmlText(`<p>Hello ${value}, </p><ul><li>${value} <br></li></ul><p>b </p>`)
  assert.equal(text, 'Hello Ada -- forged,\n\n- Ada -- forged\n\nb')
})
