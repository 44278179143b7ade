import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bareTexts, catalogueProblems, spoken, textsOf } from './catalogues.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const accounts = join(repository, 'framework', 'src', 'accounts')
const http = join(repository, 'framework', 'src', 'http')
const layouts = ['demo', 'starters/auth'].map((name) => join(repository, name, 'views', 'layouts'))

function sourcesIn(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    globSync('**/*.{ts,html}', { cwd: folder })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  )
}

for (const [room, sources, messages] of [
  ['accounts', sourcesIn(accounts, ...layouts), join(accounts, 'module', 'messages')],
  ['http', sourcesIn(http), join(http, 'messages')],
] as const) {
  test(`every text of ${room} is there in ${spoken.join(', ')}, and no other`, () => {
    assert.deepEqual(catalogueProblems(sources, messages), [])
  })
}

test('no view of accounts, of the demo and of the starter has a text of its own', () => {
  const views = [
    join(accounts, 'module'),
    join(repository, 'demo'),
    join(repository, 'starters', 'auth'),
  ]
  assert.deepEqual(
    views.flatMap((folder) => bareTexts(join(folder, 'views'))),
    [],
  )
})

test('a text in a template is found, in an attribute too, and code is not', () => {
  const template = `<% /* a */ %><p title="Here">Hello <%= it.name %></p><code>x</code><a aria-label="<%= t('y') %>">1</a>`
  assert.deepEqual(textsOf(template), ['Hello', 'Here'])
})

test('what one language lacks, what nothing shows and what takes other values is found', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogues-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const page = join(folder, 'page.html')
  writeFileSync(page, `<%= t('Yes') %> <%~ t.html("Don't <b>{x}</b>") %>`)
  mkdirSync(join(folder, 'messages'))
  for (const language of spoken) {
    const wrong =
      language === 'de' ? { "Don't <b>{x}</b>": '{x}', Maybe: 'Vielleicht' } : { Yes: '1' }
    const texts = { Yes: 'Ja', "Don't <b>{x}</b>": '<b>{x}</b> nicht', ...wrong }
    if (language === 'es') Reflect.deleteProperty(texts, 'Yes')
    writeFileSync(join(folder, 'messages', `${language}.json`), JSON.stringify(texts))
  }
  assert.deepEqual(catalogueProblems([page], join(folder, 'messages')), [
    "de has 'Maybe', which nothing shows",
    "de has other values or tags in 'Don't <b>{x}</b>'",
    "es lacks 'Yes'",
  ])
})
