import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Server } from '../server/server.ts'
import { csvChunks } from './csv.ts'
import type { CsvValue } from './csv.ts'

async function written(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

/** The cell that a value becomes. */
async function cell(value: CsvValue): Promise<string> {
  const text = await written(csvChunks([value], { a: (row) => row }))
  return text.slice('a\r\n'.length, -'\r\n'.length)
}

test('cells with quotes, separators, line breaks and blanks at an end are quoted', async () => {
  assert.equal(await cell('a "b"'), '"a ""b"""')
  assert.equal(await cell('a,b'), '"a,b"')
  assert.equal(await cell('a\nb'), '"a\nb"')
  assert.equal(await cell(' a'), '" a"')
  assert.equal(await cell('a b; ü'), 'a b; ü')
})

test('values of other types are written plainly, and none is an empty cell', async () => {
  assert.equal(await cell(new Date(0)), '1970-01-01T00:00:00.000Z')
  assert.deepEqual([await cell(-1.5), await cell(7n), await cell(true)], ['-1.5', '7', 'true'])
  assert.deepEqual([await cell(null), await cell(undefined), await cell('')], ['', '', ''])
})

test('no spreadsheet takes a text for a formula, and numbers stay numbers', async () => {
  for (const text of ['=1+1', '+A1', '-A1', '@SUM(A1)', '-1+1']) {
    assert.equal(await cell(text), `'${text}`)
  }
  assert.equal(await cell('\t=1'), "'\t=1")
  assert.equal(await cell('\r=1'), `"'\r=1"`)
  assert.deepEqual(
    [await cell('-12.50'), await cell('+49'), await cell('-1,5')].join(' '),
    '-12.50 +49 "-1,5"',
  )
})

test('a response streams rows as they are read, as a file with its name', async () => {
  const server = new Server()
  async function* rows(): AsyncGenerator<{ id: number; title: string }> {
    for (let id = 1; id <= 2_000; id += 1) yield { id, title: `row ${id}` }
  }
  server.router.get('/rows', (_request, response) =>
    response.csv(
      rows(),
      { Id: ({ id }) => id, Title: ({ title }) => title },
      { download: 'Zeilen ü.csv' },
    ),
  )
  const { headers, text } = await server.inject({ url: '/rows' })
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.match(
    headers['content-disposition'] ?? '',
    /^attachment; filename="Zeilen .*\.csv"; filename\*=UTF-8''Zeilen%20%C3%BC\.csv$/,
  )
  const lines = text.split('\r\n')
  assert.deepEqual(
    [lines.length, lines[0], lines[1], lines[2_000]],
    [2_002, 'Id,Title', '1,row 1', '2000,row 2000'],
  )
})

test('without rows there are the headings', async () => {
  const text = await written(csvChunks([], { a: () => 1, 'b,c': () => 2 }))
  assert.equal(text, 'a,"b,c"\r\n')
})
