import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { escapeHtml } from '../../base/encoding/escape-html.ts'
import { Debugging, createThrowables, shortReport } from './throwables.ts'
import type { ReportContext, Throwables } from './throwables.ts'

/** A dispatcher, and the contexts of what it reported. */
function recorded(throwables: Throwables): ReportContext[] {
  const contexts: ReportContext[] = []
  throwables.reporters.push((_, context) => contexts.push(context))
  return contexts
}

test('a throwable is reported once, however often it is notified', () => {
  const throwables = createThrowables()
  const seen: [Error, unknown][] = []
  throwables.reporters.push((error, context) => seen.push([error, context]))
  const error = new Error('x')
  throwables.notify(error, { origin: 'test' })
  throwables.notify(error)
  assert.deepEqual(seen, [[error, { origin: 'test' }]])
})

test('a failing reporter does not stop the next one', async () => {
  const throwables = createThrowables()
  let told = 0
  throwables.reporters.push(
    () => {
      throw new Error('reporter')
    },
    () => Promise.reject(new Error('reporter')),
    () => ({
      // oxlint-disable-next-line unicorn/no-thenable
      then: () => {
        throw new Error('reporter')
      },
    }),
    () => {
      told += 1
    },
  )
  throwables.notify(new Error('x'))
  await throwables.settled(1_000)
  assert.equal(told, 1)
})

test('add returns a function that removes the reporter and may be called repeatedly', () => {
  const throwables = createThrowables()
  const heard: string[] = []
  const stops = ['one', 'other'].map((name) => throwables.add(() => heard.push(name)))
  throwables.notify(new Error('to both'))
  stops[0]?.()
  stops[0]?.()
  throwables.notify(new Error('to the other'))
  assert.deepEqual([heard, throwables.reporters.length], [['one', 'other', 'other'], 1])
})

test('a thrown object that is not an Error is wrapped, and still reported once', () => {
  const throwables = createThrowables()
  const seen: Error[] = []
  throwables.reporters.push((error) => seen.push(error))
  const thrown = { reason: 'odd' }
  throwables.notify(thrown)
  throwables.notify(thrown)
  assert.equal(seen.length, 1)
  assert.equal(seen[0]?.cause, thrown)
})

test('settled waits for asynchronous reporters, including one that starts meanwhile', async () => {
  const throwables = createThrowables()
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let told = 0
  throwables.reporters.push(() => gates[told++]?.promise)
  throwables.notify(new Error('first'))
  let settled = false
  const waiting = throwables.settled(60_000).then(() => (settled = true))
  throwables.notify(new Error('second'))
  gates[0]?.resolve()
  await new Promise(setImmediate)
  assert.equal(settled, false)
  gates[1]?.resolve()
  await waiting
})

test('settled gives up when the time is up', async () => {
  const throwables = createThrowables()
  throwables.reporters.push(() => new Promise(() => {}))
  throwables.notify(new Error('x'))
  await throwables.settled(5)
})

test('settled resolves immediately when nothing is pending', async () => {
  await createThrowables().settled(60_000)
})

test('above the limit throwables are counted, and the next window reports how many', () => {
  let nowMs = 0
  const throwables = createThrowables({ limit: { max: 2, window: 60 }, nowMs: () => nowMs })
  const contexts = recorded(throwables)
  const fail = (): void => throwables.notify(new Error('x'), { origin: 'test' })
  for (let round = 0; round < 5; round += 1) fail()
  assert.equal(contexts.length, 2)
  assert.equal(throwables.suppressed, 3)
  nowMs = 60_000
  fail()
  fail()
  assert.deepEqual(contexts.slice(2), [{ origin: 'test', suppressed: 3 }, { origin: 'test' }])
})

test('each class and each line has a limit of its own', () => {
  const throwables = createThrowables({ limit: { max: 1, window: 60 } })
  const contexts = recorded(throwables)
  for (const fault of [Error, TypeError, Error]) throwables.notify(new fault('one line'))
  assert.equal(contexts.length, 2)
  throwables.notify(new Error('another line'))
  assert.equal(contexts.length, 3)
})

test('a limit can be set later and taken away again', () => {
  const throwables = createThrowables()
  const contexts = recorded(throwables)
  const fail = (): void => throwables.notify(new Error('x'))
  fail()
  throwables.limit = { max: 1, window: 60 }
  fail()
  fail()
  assert.equal(contexts.length, 2)
  throwables.limit = null
  fail()
  assert.equal(contexts.length, 3)
})

test('an invalid limit is rejected', () => {
  for (const limit of [
    { max: 0, window: 60 },
    { max: 1.5, window: 60 },
    { max: 1, window: 0 },
    { max: 1, window: Number.NaN },
  ]) {
    assert.throws(() => createThrowables({ limit }), { code: 'E_INVALID_ARGUMENT' })
    const throwables = createThrowables()
    assert.throws(() => (throwables.limit = limit), { code: 'E_INVALID_ARGUMENT' })
  }
})

test('render for the console is always coloured', () => {
  const text = createThrowables().render(new Error('x'), Debugging.TARGET_CLI)
  assert.ok(text.includes('\u001B['))
})

test('render for a document is escaped HTML', () => {
  const text = createThrowables().render(new Error('<b>x</b>'), Debugging.TARGET_HTML)
  assert.match(text, /&lt;b&gt;x&lt;\/b&gt;/)
  assert.ok(!text.includes('<b>x'))
})

test('render for a document is the report of the console', () => {
  const throwables = createThrowables()
  const error = Object.assign(new Error('deep </pre><script>'), { code: 'E_DEEP' })
  for (const verbosity of [1, 2, 3, 6]) {
    throwables.verbosity = verbosity
    const text = stripVTControlCharacters(throwables.render(error, Debugging.TARGET_CLI))
    assert.equal(
      throwables.render(error, Debugging.TARGET_HTML),
      `<pre class="framework-error">${escapeHtml(text)}</pre>`,
    )
  }
})

test('render follows the verbosity, and accepts values that are not errors', () => {
  const throwables = createThrowables()
  assert.match(throwables.render(new Error('x')), /throwables\.test\.ts/)
  throwables.verbosity = 1
  assert.equal(plain(throwables.render(new RangeError('x'))), 'RangeError: x\n')
  assert.match(plain(throwables.render(null)), /^NonErrorThrown: .*null\n$/)
})

test('a report that fails itself leaves class and message', () => {
  const throwables = createThrowables()
  const failing = {
    get verbosity(): number {
      throw new Error('trap')
    },
  }
  Object.defineProperties(throwables, Object.getOwnPropertyDescriptors(failing))
  assert.equal(throwables.render(new RangeError('x \u001B[31m')), 'RangeError: x \uFFFD[31m\n')
})

test('exit and verbosity 3 are the defaults, separate for every dispatcher', () => {
  const { exit, verbosity, limit, suppressed } = createThrowables()
  assert.deepEqual(
    { exit, verbosity, limit, suppressed },
    {
      exit: true,
      verbosity: 3,
      limit: null,
      suppressed: 0,
    },
  )
})

test('installing twice adds one handler per event, and the returned function removes it', () => {
  const counts = (): number[] =>
    ['uncaughtException', 'unhandledRejection'].map((name) => process.listenerCount(name))
  const before = counts()
  const throwables = createThrowables()
  throwables.install()
  const uninstall = throwables.install()
  assert.deepEqual(
    counts(),
    before.map((count) => count + 1),
  )
  uninstall()
  uninstall()
  assert.deepEqual(counts(), before)
})

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[\d+m/g, '')
}

test('class and message, printable and without secrets', () => {
  assert.equal(
    shortReport(new TypeError('at \u001B[31m https://me:hunter2@host/')),
    'TypeError: at \uFFFD[31m https://[redacted]@host/\n',
  )
})

test('an error with a throwing message still yields a line', () => {
  const error = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('trap')
    },
  })
  assert.equal(shortReport(error), 'Error: \n')
})
