import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { file, image, withFiles } from '../../src/http/input/body-files.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { csrfToken } from '../../src/http/middlewares/csrf-token.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { succeed } from '../../src/http/input/form-responses.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { Request } from '../../src/http/request/request.ts'
import { testBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'

const browser = testBrowser()
const { skip } = browser

/** Runs in a page, if a browser takes it for one. */
const script = '<script>document.title = "executed"</script>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`
/** A PDF for the one, a page for the other. */
const polyglot = `%PDF-1.7\n<!doctype html><html><body>${script}</body></html>\n%%EOF`

const Letter = withFiles(
  v.object({ title: v.pipe(v.string(), v.nonEmpty('Please enter a title.')) }),
  {
    letter: file({ max: '100 kB', types: ['application/pdf'] }),
    photos: image({ max: '100 kB', files: 2, required: false }),
  },
)

/** A page with a form, and its errors and input if it was sent back. */
async function formPage(request: Request): Promise<string> {
  const { session } = request
  const token = await csrfToken(request)
  const errors = JSON.stringify((await session.flash('errors')) ?? {})
  const old: unknown = (await session.flash('old')) ?? {}
  const { title = '' } = v.parse(v.object({ title: v.optional(v.string()) }), old)
  return (
    `<!doctype html><title>A letter</title><form method="post" action="/letters" enctype="multipart/form-data">` +
    `<input type="hidden" name="_token" value="${token}"><input name="title" value="${title}">` +
    `<input type="file" name="letter"><input type="file" name="photos[]" multiple>` +
    `<input name="note"><button>Send</button></form><pre>${errors}</pre>`
  )
}

async function site(t: TestContext): Promise<{ readonly url: string; readonly sent: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-test-'))
  t.after(() => rm(folder, { recursive: true }))
  const sent: string[] = []
  const { port } = await serve(t, (server) => {
    server.use(new SecureHeaders(), new Sessions(new MemorySessions()), new Csrf())
    server.router.get('/letters/new', async (request, response) =>
      response.html(await formPage(request)),
    )
    server.router.post(
      '/letters',
      async (request, response) => {
        const { title, letter, photos } = request.input.body
        sent.push(`${title} ${letter.type} ${photos.length}`)
        await letter.move(join(folder, 'letter'), { overwrite: true })
        return succeed(request, response, { to: '/letters/sent', message: 'Sent.' })
      },
      { body: Letter, form: '/letters/new' },
    )
    server.router.get('/letters/sent', () => 'sent')
    const path = join(folder, 'letter')
    server.router.get('/letters/download', (_request, response) =>
      response.file(path, { type: 'application/pdf', download: 'letter.pdf' }),
    )
    // Without the policy that would keep scripts from running anyway.
    const anything = "default-src * 'unsafe-inline'"
    for (const type of ['application/pdf', 'text/html']) {
      server.router.get(`/letters/as/${type}`, (_request, response) =>
        response.header('Content-Security-Policy', anything).file(path, { type }),
      )
    }
  })
  return { url: `http://localhost:${port}`, sent }
}

type Chosen = Readonly<Record<string, readonly string[]>>

/** Fills the form that is shown, and sends it. */
async function send(page: Page, title: string, chosen: Chosen): Promise<void> {
  await page.fill('[name=title]', title)
  for (const [name, contents] of Object.entries(chosen)) {
    const files = contents.map((content) => ({
      name: `${name.replace('[]', '')}.html`,
      mimeType: 'application/pdf',
      buffer: Buffer.from(content),
    }))
    await page.setInputFiles(`[name="${name}"]`, files)
  }
  await page.click('button')
}

test(
  'refused files come back to the form with the other input, without scripts',
  { skip },
  async (t) => {
    const { url, sent } = await site(t)
    const page = await (await browser.context({ javaScriptEnabled: false })).newPage()
    await page.goto(`${url}/letters/new`)
    const pdf = '%PDF-1.7\n'
    const wrongPicture =
      'This type of file is not accepted. Choose one of these: JPEG, PNG, GIF, WebP.'
    const cases: [chosen: Chosen, errors: Readonly<Record<string, readonly string[]>>][] = [
      [{}, { letter: ['Choose a file.'] }],
      [{ letter: [pdf.padEnd(3_000_000)] }, { letter: ['The file is larger than 0.1 MB.'] }],
      [
        { letter: [script] },
        { letter: ['This type of file is not accepted. Choose one of these: PDF.'] },
      ],
      [{ letter: [pdf], 'photos[]': [svg] }, { photos: [wrongPicture] }],
      [{ letter: [pdf], 'photos[]': ['a', 'b', 'c'] }, { photos: ['Choose at most 2 files.'] }],
    ]
    for (const [at, [chosen, errors]] of cases.entries()) {
      await send(page, `Letter ${at}`, chosen)
      assert.equal(new URL(page.url()).pathname, '/letters/new')
      assert.deepEqual(JSON.parse((await page.textContent('pre')) ?? ''), errors)
      assert.equal(await page.inputValue('[name=title]'), `Letter ${at}`)
    }
    assert.deepEqual(sent, [])
    await send(page, 'At last', { letter: [pdf] })
    assert.equal(new URL(page.url()).pathname, '/letters/sent')
    assert.deepEqual(sent, ['At last application/pdf 0'])
  },
)

test('a PDF that is also a page is never executed, downloaded or shown', { skip }, async (t) => {
  const { url, sent } = await site(t)
  const page = await (await browser.context()).newPage()
  await page.goto(`${url}/letters/new`)
  await send(page, 'Polyglot', { letter: [polyglot] })
  assert.deepEqual(sent, ['Polyglot application/pdf 0'])

  const downloading = page.waitForEvent('download')
  await page.goto(`${url}/letters/download`).catch(() => {})
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'letter.pdf')
  assert.equal(await readFile(await download.path(), 'utf8'), polyglot)

  // Chromium downloads a PDF where it has no reader for it.
  await page.goto(`${url}/letters/as/application/pdf`).catch(() => {})
  assert.notEqual(await page.title(), 'executed')
  // So that the test would notice.
  await page.goto(`${url}/letters/as/text/html`)
  assert.equal(await page.title(), 'executed')
})
