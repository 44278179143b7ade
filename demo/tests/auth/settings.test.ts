import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, newEmail, password, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

/** The links to the sections on a page. */
function sectionsOn(page: string): { path: string; isCurrent: boolean }[] {
  const [nav = ''] = /<nav class="sections"[\s\S]*?<\/nav>/.exec(page) ?? []
  return [...nav.matchAll(/<a href="([^"]+)"([^>]*)>/g)].map(([, path = '', rest = '']) => ({
    path,
    isCurrent: rest.includes('aria-current'),
  }))
}

test('every section of the settings opens, and lists all of them with itself as the current one', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const paths = sectionsOn((await visitor.ask('/account')).text).map(({ path }) => path)
  assert.ok(paths.includes('/account') && paths.includes('/password'))
  for (const path of paths) {
    const [page = '', anchor] = path.split('#')
    const { status, text } = await visitor.ask(page)
    assert.equal(status, 200, path)
    if (anchor !== undefined) assert.ok(text.includes(` id="${anchor}"`), path)
    const sections = sectionsOn(text)
    assert.deepEqual(
      sections.map((section) => section.path),
      paths,
    )
    const current = sections.filter(({ isCurrent }) => isCurrent)
    assert.deepEqual(current, [{ path: page, isCurrent: true }])
  }
})

test('the button that sends the link again waits only after a mail', async () => {
  const waits = / data-wait="60">Send the link again</
  const visitor = app.visitor()
  const account = { email: newEmail(), password, password_confirmation: password }
  for (const [form, fields] of [
    ['/register', account],
    ['/verify', {}],
  ] as const) {
    assert.match((await visitor.submit(form, fields)).page, waits)
    assert.doesNotMatch((await visitor.ask('/account')).text, waits)
  }
})
