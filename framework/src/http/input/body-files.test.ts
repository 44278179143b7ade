import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import * as v from 'valibot'
import { z } from 'zod'
import {
  encode,
  field,
  file as part,
  read,
  uploadsOf,
} from '../../../tests/support/multipart-form.ts'
import type { Part } from '../../../tests/support/multipart-form.ts'
import { ProcessUploads } from '../request/upload-budget.ts'
import { completeUploads, filesOf } from '../request/upload-options.ts'
import { completeLimits } from '../server/engine/limits.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { MemorySessions } from '../session/memory-sessions.ts'
import { Sessions } from '../session/sessions.ts'
import { file, image, withFiles } from './body-files.ts'

const pdf = '%PDF-1.7\n1 0 obj'
const html = '<!doctype html><script>alert(1)</script>'

const Letter = v.object({ title: v.pipe(v.string(), v.nonEmpty('Please enter a title.')) })
const body = withFiles(Letter, {
  letter: file({ max: '1 kB', types: ['application/pdf'] }),
  scans: file({ max: 2000, types: ['image/*', 'application/pdf'], files: 2, required: false }),
})

/** A site with a form for files. */
class Site {
  readonly server: Server = new Server({ environment: 'production', reporter: null })
  /** What the handler got. */
  readonly handled: unknown[] = []
  #cookie = ''

  constructor() {
    this.server.use(new Sessions(new MemorySessions()))
    this.server.router.get('/flashes', async ({ session }) => ({
      errors: await session.flash('errors'),
      old: await session.flash('old'),
    }))
    this.server.router.post(
      '/letters',
      async ({ input }) => {
        const { letter, scans, title } = input.body
        this.handled.push([title, letter.type, (await letter.bytes()).length, scans.length])
        return 'sent'
      },
      { body, form: '/letters/new' },
    )
  }

  async post(
    parts: readonly Part[],
    headers: Record<string, string> = {},
  ): Promise<InjectedResponse> {
    const answer = await this.server.inject({
      method: 'POST',
      url: '/letters',
      headers: { 'content-type': 'multipart/form-data; boundary=B', ...headers },
      body: encode(...parts),
    })
    const [cookie = ''] = answer.cookies
    this.#cookie = cookie.split(';', 1)[0] ?? ''
    return answer
  }

  async flashes(): Promise<unknown> {
    return (await this.server.inject({ url: '/flashes', headers: { cookie: this.#cookie } })).json()
  }
}

test('files that fit are values of the body, with the type of their content', async () => {
  const site = new Site()
  const title = field('title', 'Hello')
  const sent = await site.post([title, part('letter', 'letter.html', pdf)])
  assert.equal(sent.status, 200, sent.text)
  await site.post([
    part('scans[]', 'a', 'GIF89a'),
    title,
    part('letter', '', ''),
    part('letter', 'a', pdf),
  ])
  await site.post([
    part('scans', 'a', pdf),
    part('scans', 'b', pdf),
    part('letter', 'a', pdf),
    title,
  ])
  const type = 'application/pdf'
  assert.deepEqual(site.handled, [
    ['Hello', type, pdf.length, 0],
    ['Hello', type, pdf.length, 1],
    ['Hello', type, pdf.length, 2],
  ])
})

const wrongType = 'This type of file is not accepted. Choose one of these: PDF.'
const refusals: Readonly<Record<string, readonly [parts: Part[], errors: Record<string, string>]>> =
  {
    missing: [[], { letter: 'Choose a file.' }],
    'too large': [
      [part('letter', 'a.pdf', pdf.padEnd(1001))],
      { letter: 'The file is larger than 0.001 MB.' },
    ],
    'of a wrong type': [[part('letter', 'a.pdf', html)], { letter: wrongType }],
    'too many': [
      [part('letter', 'a', pdf), part('letter', 'b', pdf)],
      { letter: 'Choose only one file.' },
    ],
    'too many of a list': [
      ['a', 'b', 'c'].map((name) => part('scans[]', name, pdf)).concat(part('letter', 'a', pdf)),
      { scans: 'Choose at most 2 files.' },
    ],
  }

for (const [what, [parts, errors]] of Object.entries(refusals)) {
  test(`a form with a file that is ${what} goes back with its other input`, async () => {
    const site = new Site()
    const { status, headers } = await site.post([...parts, field('title', 'Hello')])
    assert.deepEqual([status, headers['location']], [303, '/letters/new'])
    const messages = Object.entries(errors).map(([name, text]) => ({ [name]: [text] }))
    assert.deepEqual(await site.flashes(), { errors: messages[0], old: { title: 'Hello' } })
    assert.deepEqual(site.handled, [])
  })
}

test('programs get a 422 that points to the field, with the errors of other fields', async () => {
  const site = new Site()
  const answer = await site.post(
    [part('scans', 'a', pdf), part('scans', 'b', html), field('title', '')],
    { accept: 'application/json' },
  )
  assert.equal(answer.status, 422)
  const { errors } = z.object({ errors: z.unknown() }).parse(answer.json())
  assert.deepEqual(errors, [
    { pointer: '#/title', detail: 'Please enter a title.' },
    { pointer: '#/letter', detail: 'Choose a file.' },
    {
      pointer: '#/scans/1',
      detail:
        'This type of file is not accepted. Choose one of these: PNG, JPEG, GIF, WebP, AVIF, HEIC, PDF.',
    },
  ])
  const json = await site.server.inject({
    method: 'POST',
    url: '/letters',
    body: { title: 'a', letter: pdf },
  })
  assert.match(json.text, /"pointer":"#\/letter","detail":"Choose a file."/)
})

test('what is too large, too many or unexpected is read, but not kept on the disk', async (t) => {
  await uploadsOf(t)
  const limits = completeLimits({ files: 1, fileBytes: 5000 })
  const uploads = completeUploads(filesOf(body)?.uploads ?? {}, limits)
  const budget = new ProcessUploads(3000)
  const parts = [
    part('letter', 'a', pdf.padEnd(4000)),
    part('other', 'b', pdf),
    ...[1, 2, 3].map((size) => part('scans[]', 'c', 'x'.repeat(size))),
  ]
  const form = await read(encode(...parts, field('title', 'Hello')), limits, 100, {
    ...uploads,
    budget,
  })
  assert.deepEqual(form.fields['title'], 'Hello')
  assert.deepEqual(
    form.files.map(({ size, path }) => [size, statSync(path).size]),
    [
      [4000, 0],
      [pdf.length, 0],
      [1, 1],
      [2, 2],
      [3, 0],
    ],
  )
  form.dispose()
  const roomy = filesOf(withFiles(v.object({}), { letter: file({ max: '600 kB' }) }))?.uploads
  const large = await read(encode(part('letter', 'a', 'x'.repeat(2_000_000))), limits, 60_000, {
    ...completeUploads(roomy ?? {}, completeLimits({})),
    budget: new ProcessUploads(700_000),
  })
  const [{ size, path } = assert.fail()] = large.files
  assert.deepEqual([size, statSync(path).size], [2_000_000, 0])
  large.dispose()
  const huge = read(encode(part('letter', 'a', pdf.padEnd(6000))), limits, 100, {
    ...uploads,
    budget,
  })
  await assert.rejects(huge, { status: 413 })
})

/** A site that takes a picture and responds with its size in bytes and its metadata. */
async function sendPicture(content: Buffer, maxPixels = 1000): Promise<InjectedResponse> {
  const server = new Server({ environment: 'production', reporter: null })
  const picture = image({ max: '1 MB', maxPixels })
  server.router.post(
    '/',
    async ({ input: { body } }) => {
      const { exif, width } = await sharp(body.picture.path).metadata()
      const { mode } = statSync(body.picture.path)
      return [
        body.picture.type,
        width,
        exif === undefined,
        mode & 0o777,
        body.picture.size === statSync(body.picture.path).size,
      ]
    },
    { body: withFiles(v.object({}), { picture }) },
  )
  const headers = {
    'content-type': 'multipart/form-data; boundary=B',
    accept: 'application/json',
    'accept-language': 'de',
  }
  return server.inject({
    method: 'POST',
    url: '/',
    headers,
    body: encode(part('picture', 'a', content)),
  })
}

const drawn = sharp({ create: { width: 20, height: 30, channels: 3, background: 'red' } })

test('a picture is written anew: upright, and without the place where it was taken', async () => {
  const place = { IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
  const photo = await drawn
    .clone()
    .withExif(place)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.notEqual((await sharp(photo).metadata()).exif, undefined)
  const { status, text } = await sendPicture(photo)
  assert.deepEqual([status, text], [200, '["image/jpeg",30,true,384,true]'])
})

test('a picture with too many pixels, a broken one and one with scripts are refused', async () => {
  const cases: [content: Buffer, detail: string, maxPixels?: number][] = [
    [await drawn.clone().png().toBuffer(), 'The picture has more than 0.000599 megapixels.', 599],
    [(await drawn.clone().png().toBuffer()).subarray(0, 60), 'This picture cannot be read.'],
    [Buffer.from('GIF89a'), 'This picture cannot be read.'],
    [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'This type of file is not accepted. Choose one of these: JPEG, PNG, GIF, WebP.',
    ],
  ]
  for (const [content, detail, maxPixels] of cases) {
    const { status, text } = await sendPicture(content, maxPixels)
    assert.deepEqual([status, text.includes(detail)], [422, true], text)
  }
})

/** Checks the picture at a path where `sharp` is not installed. */
const withoutSharp = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'sharp') return next(specifier, context)
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
const [, files, uploaded, path] = process.argv
const { image, withFiles } = await import(files)
const { UploadedFile } = await import(uploaded)
const schema = { '~standard': { validate: (value) => ({ value }) } }
const file = new UploadedFile({ field: 'picture', filename: 'a', type: '', size: 7, path })
const body = withFiles(schema, { picture: image({ max: 10 }) })
const { value } = await body['~standard'].validate({ picture: [file] })
process.stdout.write(value.picture.type + ' ' + value.picture.size)
`

test('without sharp a picture stays as it is', async (t) => {
  const path = join(await uploadsOf(t), 'picture')
  const bytes = await drawn.clone().png().toBuffer()
  writeFileSync(path, bytes)
  const modules = ['./body-files.ts', '../request/uploaded-file.ts'].map((name) =>
    import.meta.resolve(name),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    withoutSharp,
    ...modules,
    path,
  ])
  assert.equal(stdout, 'image/png 7')
  assert.deepEqual(readFileSync(path), bytes)
})

test('a declaration that cannot work is refused', () => {
  const invalid = { code: 'E_INVALID_ARGUMENT' }
  for (const max of ['2 megabytes', '', '-1', 0, '1.2.3 MB'])
    assert.throws(() => file({ max }), invalid)
  assert.throws(() => file({ max: 1, files: 0 }), invalid)
  assert.throws(() => file({ max: 1, types: ['image/svg+xml'] }), /cannot be recognized/)
  assert.throws(() => image({ max: 1, types: ['application/pdf'] }), /cannot be recognized/)
  const { router } = new Server()
  assert.throws(() => router.post('/', () => '', { body, uploads: {} }), /declare them once/)
})
