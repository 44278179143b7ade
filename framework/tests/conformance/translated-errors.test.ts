import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import * as v from 'valibot'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { InvalidInput } from '../../src/http/errors/invalid-input.ts'
import { file as uploadedFile, withFiles } from '../../src/http/input/body-files.ts'
import { list } from '../../src/http/lists/list.ts'
import { atLeast, contains } from '../../src/http/lists/list-filter.ts'
import { Server } from '../../src/http/server/server.ts'
import { defineLanguages } from '../../src/i18n/languages.ts'
import type { Languages } from '../../src/i18n/languages.ts'
import { integer, key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { encode, file, uploadsOf } from '../support/multipart-form.ts'

const folder = join(import.meta.dirname, '../../src/http/messages')
const german = { accept: 'text/html', 'accept-language': 'de' }

function languages(): Languages {
  const messages = { en: {}, de: { 'Already taken.': 'Schon vergeben.' }, fr: {}, es: {} }
  return defineLanguages({ default: 'en', messages }).within([folder])
}

function serverOf(): Server {
  return new Server({ environment: 'production', reporter: null }).languages(languages())
}

test('every status of a client or a gateway has a text in each language', () => {
  const statuses = Object.entries(STATUS_CODES).filter(([code]) => /^4|^50[0-4]$/.test(code))
  const missing = ['de', 'fr', 'es'].flatMap((language) =>
    statuses.filter(([, name = '']) => languages().in(language)(name) === name),
  )
  assert.deepEqual(missing, [])
})

test('the built-in page of a status is in the language of the visitor, JSON is English', async () => {
  const server = serverOf()
  const page = await server.inject({ url: '/nowhere', headers: german })
  assert.match(page.text, /<html lang="de">.*<p>Nicht gefunden<\/p><p>Anfrage <code>/)
  const json = { ...german, accept: 'application/json' }
  const { text: body } = await server.inject({ url: '/nowhere', headers: json })
  assert.equal(body, '{"error":"Not Found"}')
})

test('what is wrong with a file of a body is said in the language of the visitor', async (t) => {
  await uploadsOf(t)
  const server = serverOf()
  const letter = uploadedFile({ max: '1.5 MB', types: ['application/pdf'] })
  server.router.post('/', () => '', { body: withFiles(v.object({}), { letter }) })
  const send = async (size: number): Promise<string> => {
    const headers = { ...german, 'content-type': 'multipart/form-data; boundary=B' }
    const body = encode(file('letter', 'a', 'x'.repeat(size)))
    return (await server.inject({ url: '/', method: 'POST', headers, body })).text
  }
  assert.match(await send(1_500_001), /letter: Die Datei ist größer als 1,5 MB\./)
  assert.match(await send(1), /letter: Dieser Dateityp wird nicht angenommen\. Möglich sind: PDF\./)
})

test('a limit of uploads is told in the language of the visitor, to programs in English', async (t) => {
  await uploadsOf(t)
  const server = serverOf()
  const uploads = { bytes: 1000, files: 2 }
  server.router.post('/files', async (request) => (await request.form()).files.length, { uploads })
  const send = async (accept: string, size: number, count: number): Promise<string> => {
    const parts = Array.from({ length: count }, () => file('f', 'a', 'x'.repeat(size)))
    const type = { 'content-type': 'multipart/form-data; boundary=B' }
    const headers = { ...german, accept, ...type }
    const body = encode(...parts)
    return (await server.inject({ url: '/files', method: 'POST', headers, body })).text
  }
  assert.match(await send('text/html', 1, 3), /<p>höchstens 2 Dateien werden angenommen<\/p>/)
  assert.match(await send('text/html', 2000, 1), /höchstens 1.000 Bytes/)
  const refused = '{"error":"a file may have at most 1000 bytes"}'
  assert.equal(await send('application/json', 2000, 1), refused)
})

test('what a list refuses is told in the language of the visitor, and its pages have names in it', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const Notes = entity('notes', { id: key.integer(), title: text(), pages: integer() })
  await database.run(sql`create table notes (id integer primary key, title text, pages integer)`)
  const notes = new Repository(Notes, database)
  await notes.insertMany([1, 2, 3].map((pages) => ({ title: 'Note', pages })))
  const server = serverOf()
  const filter = { title: contains('title', { maxLength: 5 }), pages: atLeast() }
  const query = list(Notes, { filter, sort: ['title'] })
  server.router.get(
    '/notes',
    async ({ input }, response) => {
      const { links } = await response.database.list(notes, input.query)
      return links.numbers.map(({ label }) => label)
    },
    { query },
  )
  const at = async (url: string): Promise<string> =>
    (await server.inject({ url, headers: german })).text
  assert.equal(await at('/notes?limit=2'), '["Seite 1","Seite 2"]')
  assert.match(
    await at('/notes?title=toolong&pages=x&sort=no'),
    /<p>Die Parameter dieser Adresse sind ungültig. title: darf höchstens 5 Zeichen haben. pages: muss eine ganze Zahl sein. sort: muss einer dieser Werte sein: title/,
  )
  const read = query['~standard'].validate({ pages: 'x' })
  assert.deepEqual(Object(read).issues[0].message, 'must be a whole number.')
})

test('messages that a handler throws are looked up too, in the language of the visitor', async () => {
  const server = serverOf()
  server.router.get('/taken', () => {
    throw new InvalidInput([{ path: ['email'], message: 'Already taken.' }])
  })
  server.router.get('/many', () => {
    throw new InvalidInput(Array.from({ length: 120 }, () => ({ message: 'No.' })))
  })
  server.router.get('/link', () => {
    throw new HttpError(403, 'This link has expired.', { expose: true })
  })
  const at = async (url: string): Promise<string> =>
    (await server.inject({ url, headers: german })).text
  assert.match(await at('/taken'), /Einige Werte fehlen .* email: Schon vergeben\.</)
  assert.match(await at('/many'), /hier die ersten 100 von 120 Fehlern\. No\. No\. No\.</)
  assert.match(await at('/link'), /<p>Dieser Link ist abgelaufen\.<\/p>/)
})
