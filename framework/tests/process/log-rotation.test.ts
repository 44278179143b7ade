import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

const child = join(import.meta.dirname, 'log-rotation-child.ts')
const COUNT = 2_000

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'log-rotation-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

interface Ended {
  readonly status: unknown
  readonly errors: string
}

async function run(path: string, name: string, ending = 'close', count = COUNT): Promise<Ended> {
  const options = [...process.execArgv.filter((option) => option.startsWith('--conditions')), child]
  const running = spawn(process.execPath, [...options, path, name, String(count), ending], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  running.stderr.on('data', (text) => (errors += String(text)))
  const [code, signal] = await once(running, 'close')
  return { status: signal ?? code, errors }
}

async function linesIn(path: string): Promise<{ files: string[]; lines: string[] }> {
  const files = (await readdir(path)).filter((name) => !name.includes('.lock'))
  const texts = await Promise.all(files.map((name) => readFile(join(path, name), 'utf8')))
  for (const text of texts) assert.ok(text === '' || text.endsWith('\n'), 'a line is torn')
  return { files, lines: texts.flatMap((text) => text.split('\n').slice(0, -1)) }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The `channel number` of each line; all must be complete JSON. */
function marks(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const entry: unknown = JSON.parse(line)
    return `${String(field(entry, 'channel'))} ${String(field(field(entry, 'context'), 'number'))}`
  })
}

function expected(...names: string[]): string[] {
  return names.flatMap((name) => Array.from({ length: COUNT }, (_, number) => `${name} ${number}`))
}

test('three processes write and rotate one file: every line is there exactly once', async (t) => {
  const path = await folder(t)
  // Left behind by a process that died during a rotation.
  await writeFile(join(path, 'app.log.lock'), '')
  const log = join(path, 'app.log')
  const ended = await Promise.all(['a', 'b', 'c'].map((name) => run(log, name)))
  for (const end of ended) assert.deepEqual(end, { status: 0, errors: '' })
  const { files, lines } = await linesIn(path)
  assert.ok(files.length > 30, `only ${files.length} files`)
  assert.deepEqual(marks(lines).sort(), expected('a', 'b', 'c').sort())
})

test('buffered lines are written when a process calls exit or dies of an error', async (t) => {
  for (const [ending, status] of [
    ['exit', 3],
    ['throw', 1],
  ] as const) {
    const path = await folder(t)
    assert.equal((await run(join(path, 'app.log'), 'a', ending)).status, status)
    assert.deepEqual(marks((await linesIn(path)).lines).sort(), expected('a').sort())
  }
})

test('a fatal line is on disk even when the process is killed right after it', async (t) => {
  const path = await folder(t)
  assert.equal((await run(join(path, 'app.log'), 'a', 'fatal', 20)).status, 'SIGKILL')
  const { lines } = await linesIn(path)
  assert.ok(lines.some((line) => line.includes('"level":"FATAL"')))
})
