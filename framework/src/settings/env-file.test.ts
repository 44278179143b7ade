import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readEnvFile } from './env-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framework-env-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let count = 0
async function read(content: string | Uint8Array): Promise<Record<string, string>> {
  const path = join(folder, `file-${count++}`)
  await writeFile(path, content)
  return Object.fromEntries(readEnvFile(path, '.env'))
}

test('assignments, comments, quotes over several lines and export are understood', async () => {
  const text = [
    '# a comment',
    'PLAIN=one # two',
    '  export EXPORTED = three',
    '',
    'EMPTY=',
    `DOUBLE="first`,
    `no assignment" # after`,
    "SINGLE='a#b'",
    'TICK=`it\'s "so"`',
    'LAST=x',
  ].join('\r\n')
  const values = await read(text)
  assert.equal(values['DOUBLE']?.replaceAll('\r', ''), 'first\nno assignment')
  assert.deepEqual(
    { ...values, DOUBLE: null },
    {
      PLAIN: 'one',
      EXPORTED: 'three',
      EMPTY: '',
      DOUBLE: null,
      SINGLE: 'a#b',
      TICK: 'it\'s "so"',
      LAST: 'x',
    },
  )
})

test('spaces behind a = are no value, and an indented comment is none', async () => {
  const text = '  # X=1\nA= \nB=1\nexport C=\nD=2\nE=\t\r\n  F = 3'
  assert.deepEqual(await read(text), { A: '', B: '1', C: '', D: '2', E: '', F: '3' })
})

test('without a file there are no variables', () => {
  assert.equal(readEnvFile(join(folder, 'missing'), '.env').size, 0)
})

test('a line that is no assignment is an error that names it and hides its text', async () => {
  const is = { code: 'E_ENV_FILE', message: 'line 2 of .env is not NAME=value' }
  await assert.rejects(read('A=1\nPASSWORD: hunter2\n'), is)
  await assert.rejects(read('A=1\nhunter2\n'), is)
  await assert.rejects(read('A=1\nTWO WORDS=3\n'), is)
})

test('a quote that is left open or followed by more text is an error', async () => {
  await assert.rejects(read('A=1\nB="two\nC=3\n'), {
    message: 'line 2 of .env opens " and never closes it',
  })
  await assert.rejects(read(`A="x\nB='2'\nC="3"\n`), {
    message: 'line 3 of .env goes on after the closing "',
  })
})

test('a file that is not UTF-8 is an error; a byte order mark is fine', async () => {
  await assert.rejects(read(Uint8Array.of(0x41, 0x3d, 0xff)), {
    code: 'E_ENV_FILE',
    message: '.env must be UTF-8 text',
  })
  assert.deepEqual(await read('\uFEFFA=1'), { A: '1' })
})

test('a folder in the place of the file is an error', async () => {
  await mkdir(join(folder, 'taken'))
  assert.throws(() => readEnvFile(join(folder, 'taken'), '.env'), {
    code: 'E_ENV_FILE',
    message: '.env cannot be read: it is a folder',
  })
})
