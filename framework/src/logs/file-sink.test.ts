import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { lockFile } from '../base/files/file-lock.ts'
import { fileSink } from './file-sink.ts'
import type { FileSinkOptions } from './file-sink.ts'
import type { Sink } from './sink.ts'

interface Place {
  readonly folder: string
  readonly path: string
  readonly told: string[]
  readonly open: (options?: FileSinkOptions) => Sink
  /** Names in the folder, without the lock. */
  readonly names: () => string[]
  /** All lines of all files, in the order of their names. */
  readonly lines: () => string[]
}

function place(t: TestContext): Place {
  const folder = fs.mkdtempSync(join(tmpdir(), 'file-sink-'))
  const path = join(folder, 'logs', 'app.log')
  const told: string[] = []
  const sinks: Sink[] = []
  const isLog = (name: string): boolean => !name.endsWith('.lock')
  const names = (): string[] => fs.readdirSync(join(folder, 'logs')).filter(isLog).sort()
  t.after(async () => {
    await Promise.all(sinks.map((sink) => sink.close()))
    fs.rmSync(folder, { recursive: true })
  })
  return {
    folder,
    path,
    told,
    names,
    open(options) {
      const sink = fileSink(path, { report: (text) => void told.push(text), ...options })
      sinks.push(sink)
      return sink
    },
    lines: () =>
      names().flatMap((name) =>
        fs
          .readFileSync(join(folder, 'logs', name), 'utf8')
          .split('\n')
          .slice(0, -1),
      ),
  }
}

const day = 86_400_000

test('lines are appended to a file whose folder is made, readable by owner and group', async (t) => {
  const { path, open } = place(t)
  const sink = open()
  sink.write('{"a":1}\n')
  sink.write('{"ä":2}\n')
  await sink.flush()
  assert.equal(fs.readFileSync(path, 'utf8'), '{"a":1}\n{"ä":2}\n')
  assert.equal(fs.statSync(path).mode & 0o007, 0)
  sink.write('{"a":3}\n')
  await sink.close()
  assert.equal(fs.readFileSync(path, 'utf8'), '{"a":1}\n{"ä":2}\n{"a":3}\n')
})

test('no file exceeds its size, however many lines come while it is being written', async (t) => {
  const { folder, open, names, lines } = place(t)
  const sink = open({ maxBytes: 1_000, keep: 1_000 })
  for (let at = 0; at < 200; at += 1) {
    sink.write(`${String(at).padStart(99, '0')}\n`)
    await new Promise((resolve) => setTimeout(resolve, at % 5 === 0 ? 1 : 0))
  }
  await sink.flush()
  assert.equal(lines().length, 200)
  const sizes = names().map((name) => fs.statSync(join(folder, 'logs', name)).size)
  assert.ok(Math.max(...sizes) <= 1_000, String(sizes))
})

test('other users cannot read the file or enter its folder, whatever the umask', async (t) => {
  const umask = process.umask(0)
  t.after(() => process.umask(umask))
  const { path, open } = place(t)
  const first = open()
  first.write('{}\n')
  await first.close()
  assert.equal(fs.statSync(path).mode & 0o777, 0o640)
  assert.equal(fs.statSync(dirname(path)).mode & 0o777, 0o700)
  fs.chmodSync(path, 0o666)
  const second = open()
  second.write('{}\n')
  await second.close()
  assert.equal(fs.statSync(path).mode & 0o777, 0o640, 'a file from before')
})

test('write does not touch the file synchronously', async (t) => {
  const { path, open } = place(t)
  const sink = open()
  sink.write('a\n')
  assert.equal(fs.existsSync(path), false)
  await sink.flush()
  assert.equal(fs.existsSync(path), true)
})

test('flushSync writes every waiting line before it returns, once', async (t) => {
  const { path, open } = place(t)
  const sink = open()
  sink.write('a\n')
  sink.write('b\n')
  sink.flushSync()
  assert.equal(fs.readFileSync(path, 'utf8'), 'a\nb\n')
  await sink.flush()
  sink.write('c\n')
  sink.flushSync()
  await sink.close()
  assert.equal(fs.readFileSync(path, 'utf8'), 'a\nb\nc\n')
})

test('flushSync in the middle of background writing loses and repeats nothing', async (t) => {
  const { open, lines } = place(t)
  const sink = open({ maxBytes: 200, keep: 1_000 })
  const written: string[] = []
  for (let round = 0; round < 50; round++) {
    for (let index = 0; index < 10; index++) {
      written.push(`${round}-${index}`)
      sink.write(`${round}-${index}\n`)
    }
    if (round % 3 === 0) await Promise.resolve()
    if (round % 5 === 0) await new Promise(setImmediate)
    if (round % 7 === 0) sink.flushSync()
  }
  await sink.flush()
  assert.deepEqual(lines().sort(), written.sort())
})

test('a full file is renamed by day and number, and no file is above the limit', async (t) => {
  const { folder, open, names, lines } = place(t)
  const nowMs = (): number => Date.parse('2025-11-14T10:00:00Z')
  const sink = open({ maxBytes: 100, keep: 1_000, daily: false, nowMs })
  const written = Array.from(
    { length: 120 },
    (_, index) => `line ${String(index).padStart(4, '0')}`,
  )
  for (const line of written) sink.write(`${line}\n`)
  await sink.flush()
  const rotated = names().filter((name) => name !== 'app.log')
  assert.ok(rotated.length >= 11, String(rotated.length))
  for (const name of rotated) {
    assert.match(name, /^app\.log\.\d{4}-\d\d-\d\d\.\d+$/)
    assert.ok(fs.statSync(join(folder, 'logs', name)).size <= 100)
  }
  assert.deepEqual(lines().sort(), written)
})

test('a line longer than the limit gets a file of its own', async (t) => {
  const { open, lines, names } = place(t)
  const sink = open({ maxBytes: 10 })
  for (const line of ['short', 'x'.repeat(50), 'short']) sink.write(`${line}\n`)
  await sink.flush()
  assert.equal(lines().length, 3)
  assert.equal(names().length, 3)
})

test('the first line of a new day starts a new file, named after the old day', async (t) => {
  const { path, open, names } = place(t)
  let now = Date.parse('2025-11-14T23:59:59Z')
  const sink = open({ nowMs: () => now })
  sink.write('friday\n')
  await sink.flush()
  now += 2_000
  sink.write('saturday\n')
  await sink.flush()
  assert.deepEqual(names(), ['app.log', 'app.log.2025-11-14.1'])
  assert.equal(fs.readFileSync(path, 'utf8'), 'saturday\n')
  assert.equal(fs.readFileSync(`${path}.2025-11-14.1`, 'utf8'), 'friday\n')
})

test('a file left from another day is rotated when a process starts, unless daily is off', async (t) => {
  for (const daily of [true, false]) {
    const { path, open, names } = place(t)
    const first = open()
    first.write('old\n')
    await first.close()
    fs.utimesSync(path, 1_700_000_000, 1_700_000_000)
    const second = open({ daily })
    second.write('new\n')
    await second.flush()
    assert.deepEqual(names(), daily ? ['app.log', 'app.log.2023-11-14.1'] : ['app.log'])
  }
})

test('old files are pruned to keep, the newest stay, and other files are left alone', async (t) => {
  const { folder, open, names } = place(t)
  let now = Date.now()
  const sink = open({ keep: 2, nowMs: () => now })
  sink.write('a\n')
  await sink.flush()
  for (const other of ['app.log.backup', 'app.log.2025-01-01.1.gz', 'other.log.2025-01-01.1']) {
    fs.writeFileSync(join(folder, 'logs', other), '')
  }
  for (let index = 0; index < 12; index++) {
    now += day
    sink.write('b\n')
    await sink.flush()
  }
  const date = (days: number): string => new Date(now - days * day).toISOString().slice(0, 10)
  assert.deepEqual(
    names().filter((name) => /^app\.log\.[\d-]+\.\d+$/.test(name)),
    [`app.log.${date(2)}.1`, `app.log.${date(1)}.1`],
  )
  assert.equal(names().length, 6)
})

test('a file rotated a moment ago is not pruned yet: another process may be writing to it', async (t) => {
  const { open, lines } = place(t)
  const sink = open({ maxBytes: 10, keep: 1 })
  for (let index = 0; index < 20; index++) sink.write(`line ${index}\n`)
  await sink.flush()
  assert.equal(lines().length, 20)
})

test('numbers of a day go on after 9 in the right order', async (t) => {
  const { open, names } = place(t)
  let now = Date.now()
  const sink = open({ maxBytes: 1, keep: 3, nowMs: () => now, daily: false })
  for (let index = 0; index < 13; index++) sink.write(`${index}\n`)
  await sink.flush()
  now += 60_000
  sink.write('last\n')
  await sink.flush()
  const numbers = names().flatMap((name) => /\.(\d+)$/.exec(name)?.[1] ?? [])
  assert.deepEqual(
    numbers.map(Number).sort((a, b) => a - b),
    [11, 12, 13],
  )
})

test('a file moved away by somebody else is noticed', async (t) => {
  const { path, open } = place(t)
  const sink = open()
  sink.write('one\n')
  await sink.flush()
  fs.renameSync(path, `${path}.moved`)
  sink.write('two\n')
  await sink.flush()
  assert.equal(fs.readFileSync(`${path}.moved`, 'utf8'), 'one\n')
  assert.equal(fs.readFileSync(path, 'utf8'), 'two\n')
})

test('a file that another process has put there is written to from then on', async (t) => {
  const { path, open } = place(t)
  const sink = open()
  sink.write('one\n')
  await sink.flush()
  fs.renameSync(path, `${path}.moved`)
  fs.writeFileSync(path, 'theirs\n')
  sink.write('two\n')
  await sink.flush()
  assert.equal(fs.readFileSync(path, 'utf8'), 'theirs\ntwo\n')
})

test('while another process rotates, lines go on to the file at hand', async (t) => {
  const { path, open, names, lines } = place(t)
  const sink = open({ maxBytes: 10 })
  sink.write('123456789\n')
  await sink.flush()
  const release = lockFile(`${path}.lock`)
  sink.write('more\n')
  await sink.flush()
  assert.deepEqual(names(), ['app.log'])
  release?.()
  sink.write('later\n')
  await sink.flush()
  assert.equal(names().length, 2)
  assert.deepEqual(lines(), ['later', '123456789', 'more'])
})

test('two sinks of one file share it and its rotation', async (t) => {
  const { open, lines } = place(t)
  const sinks = [open({ maxBytes: 300, keep: 1_000 }), open({ maxBytes: 300, keep: 1_000 })]
  const written: string[] = []
  for (let index = 0; index < 400; index++) {
    written.push(`line ${index}`)
    sinks[index % 2]?.write(`line ${index}\n`)
    if (index % 9 === 0) await new Promise(setImmediate)
  }
  await Promise.all(sinks.map((sink) => sink.flush()))
  assert.deepEqual(lines().sort(), written.sort())
})

test('a full disk is reported once, lines are counted, and nothing is thrown', async () => {
  const told: string[] = []
  const sink = fileSink('/dev/full', { report: (text) => void told.push(text) })
  sink.write('a\n')
  await sink.flush()
  sink.write('b\n')
  sink.flushSync()
  sink.write('c\n')
  await sink.close()
  assert.equal(sink.dropped, 3)
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /^log sink \/dev\/full drops lines: ENOSPC/)
})

test('a path that cannot be opened counts, and works once it can', async (t) => {
  const { folder, path, open, told } = place(t)
  fs.writeFileSync(join(folder, 'logs'), 'a file where the folder should be')
  const sink = open()
  sink.write('a\n')
  sink.write('b\n')
  await sink.flush()
  assert.equal(sink.dropped, 2)
  fs.rmSync(join(folder, 'logs'))
  sink.write('c\n')
  await sink.flush()
  assert.equal(fs.readFileSync(path, 'utf8'), 'c\n')
  assert.equal(sink.dropped, 2)
  assert.equal(told.length, 1)
})

test('a file that cannot be rotated is written to all the same', async (t) => {
  const { path, open, lines, told } = place(t)
  const sink = open({ maxBytes: 4 })
  sink.write('one\n')
  await sink.flush()
  fs.mkdirSync(`${path}.lock`)
  sink.write('two\n')
  await sink.flush()
  fs.rmdirSync(`${path}.lock`)
  assert.deepEqual(lines(), ['one', 'two'])
  assert.equal(sink.dropped, 0)
  assert.match(told[0] ?? '', /cannot rotate/)
})

test('lines written after close are counted', async (t) => {
  const { open, told } = place(t)
  const sink = open()
  await sink.close()
  sink.write('late\n')
  assert.equal(sink.dropped, 1)
  assert.match(told[0] ?? '', /it is closed/)
})

test('lines beyond what may wait are counted', async (t) => {
  const { open } = place(t)
  const sink = open()
  const line = `${'x'.repeat(1_024 * 1_024 - 1)}\n`
  for (let index = 0; index < 40; index++) sink.write(line)
  assert.equal(sink.dropped, 8)
  await sink.flush()
})

test('options that make no sense are refused', () => {
  for (const options of [{ maxBytes: 0 }, { maxBytes: 1.5 }, { keep: -1 }, { keep: Number.NaN }]) {
    assert.throws(() => fileSink('x.log', options), { code: 'E_INVALID_ARGUMENT' })
  }
})
