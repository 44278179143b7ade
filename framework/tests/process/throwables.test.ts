import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

interface Ended {
  readonly status: number | string | null
  readonly stdout: string
  readonly stderr: string
}

const opening = `import 'framework/boot'
import { Throwables } from 'framework/debugging'
import { writeSync } from 'node:fs'
const told = (text) => Throwables.reporters.push((error, context) => {
  writeSync(1, text + ' ' + error.message + ' ' + JSON.stringify(context) + '\\n')
})
`

/** Runs a script with the handlers installed and a reporter `told(word)` to push. */
function run(
  t: TestContext,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const cwd = plantProject(t, { 'script.js': opening + script })
  return runCommand(t, [], { program: ['--conditions=source', 'script.js'], cwd, env })
}

for (const [title, script, first] of [
  ['an error', `throw new RangeError('broken')`, 'RangeError: broken'],
  ['a rejection', `Promise.reject(new RangeError('broken'))`, 'RangeError: broken'],
  [
    'an error in a timer',
    `setTimeout(() => { throw new RangeError('broken') })`,
    'RangeError: broken',
  ],
  ['a text', `throw 'broken'`, 'NonErrorThrown: thrown value is not an Error: broken'],
  ['null', `throw null`, 'NonErrorThrown: thrown value is not an Error: null'],
  [
    'a rejection with an object',
    `Promise.reject({ odd: 1 })`,
    'NonErrorThrown: thrown value is not an Error: { odd: 1 }',
  ],
] as const) {
  test(`${title} that is not caught is reported once and ends the process with 255`, async (t) => {
    const { status, stdout, stderr } = await run(t, `told('reported');\n${script}`)
    assert.equal(status, 255)
    // Where a value that is no error was thrown, Node 26 shows its own place above our report.
    assert.ok(stderr.split('\n').includes(first), stderr)
    assert.match(stdout, /^reported [^\n]+ \{"origin":"exception"\}\n$/)
  })
}

test('the report shows location, source and calls by verbosity', async (t) => {
  const script = `Throwables.verbosity = Number(process.env.VERBOSITY)
    function f(n) { if (n > 0) return f(n - 1); throw new Error('deep') }
    f(12)`
  const calls: number[] = []
  for (const verbosity of [1, 2, 3, 4, 5, 6, 7]) {
    const { status, stderr } = await run(t, script, { VERBOSITY: String(verbosity) })
    assert.equal(status, 255)
    if (verbosity === 1) assert.equal(stderr, 'Error: deep\n')
    else assert.match(stderr, /^ {4}at f \(script\.js:8:55\)$/m)
    assert.equal(/^ {2}> 8 \|/m.test(stderr), verbosity > 1)
    assert.equal(/\+\d+ trace calls…/.test(stderr), verbosity > 2 && verbosity < 5)
    calls.push([...stderr.matchAll(/^ {4}at /gm)].length)
  }
  assert.deepEqual(calls, [0, 1, 4, 7, 10, 10, 10])
})

test('everything written to a pipe before arrives before the end', async (t) => {
  const script = `process.stdout.write('x'.repeat(1024 * 1024)); throw new Error('broken')`
  const { status, stdout, stderr } = await run(t, script)
  assert.equal(status, 255)
  assert.equal(stdout.length, 1024 * 1024)
  assert.match(stderr, /^Error: broken\n/)
})

test('it waits at most two seconds for a reader that does not read', async (t) => {
  const script = `${opening}process.stdout.write('x'.repeat(1024 * 1024)); throw new Error('broken')`
  const cwd = plantProject(t, { 'script.js': script })
  const child = spawn(process.execPath, ['--conditions=source', 'script.js'], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.deepEqual(await once(child, 'exit'), [255, null])
})

test('an asynchronous reporter is waited for', async (t) => {
  const script = `Throwables.reporters.push(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      writeSync(1, 'told')
    })
    throw new Error('broken')`
  const { status, stdout } = await run(t, script)
  assert.deepEqual([status, stdout], [255, 'told'])
})

test('a reporter that never ends is waited for two seconds', async (t) => {
  const script = `let beganMs
    process.on('exit', () => writeSync(1, String(performance.now() - beganMs)))
    Throwables.reporters.push(() => new Promise(() => {}))
    beganMs = performance.now()
    throw new Error('broken')`
  const { status, stdout } = await run(t, script)
  assert.equal(status, 255)
  assert.ok(Number(stdout) >= 1_900, `${stdout} ms`)
})

test('a second throwable during the wait is reported too, without a longer wait', async (t) => {
  // The late word comes after two seconds from the first one, but before two from the second.
  const script = `told('reported')
    Throwables.reporters.push(() => new Promise(() => {}))
    setTimeout(() => {
      setTimeout(() => writeSync(1, 'too long'), 1500)
      throw new Error('second')
    }, 1000)
    throw new Error('first')`
  const { status, stdout, stderr } = await run(t, script)
  assert.equal(status, 255)
  assert.match(stdout, /^reported first .*\nreported second .*\n$/)
  assert.match(stderr, /^Error: first$/m)
  assert.match(stderr, /^Error: second$/m)
})

test('a program that ends by itself during the wait still ends with 255', async (t) => {
  const script = `Throwables.reporters.push(() => new Promise(() => {}))
    setTimeout(() => process.exit(0), 50)
    throw new Error('broken')`
  assert.equal((await run(t, script)).status, 255)
})

test('reporters that throw or reject change nothing', async (t) => {
  const script = `Throwables.reporters.push(() => { throw new Error('reporter') })
    Throwables.reporters.push(async () => { throw new Error('reporter') })
    told('reported')
    throw new Error('broken')`
  const { status, stdout, stderr } = await run(t, script)
  assert.equal(status, 255)
  assert.equal(stdout, 'reported broken {"origin":"exception"}\n')
  assert.doesNotMatch(stderr.replaceAll(/^.*\|.*$/gm, ''), /reporter/)
})

test('an error that cannot be inspected is reported as far as possible', async (t) => {
  const script = `const trap = () => { throw new Error('trap') }
    const all = { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap }
    Promise.reject(new Proxy(new RangeError('broken'), all))`
  const { status, stderr } = await run(t, script)
  assert.equal(status, 255)
  assert.match(stderr, /^Error\b.*\n/)
})

test('a report that fails itself falls back to class and message', async (t) => {
  const script = `Object.defineProperty(Throwables, 'verbosity', { get() { throw new Error('trap') } })
    told('reported')
    throw new RangeError('broken')`
  const { status, stdout, stderr } = await run(t, script)
  assert.deepEqual([status, stderr], [255, 'RangeError: broken\n'])
  assert.equal(stdout, 'reported broken {"origin":"exception"}\n')
})

test('with exit off the process continues and reports everything', async (t) => {
  const script = `told('reported')
    Throwables.exit = false
    setTimeout(() => { throw new Error('second') }, 1)
    setTimeout(() => writeSync(1, 'the end'), 50)
    throw new Error('first')`
  const { status, stdout, stderr } = await run(t, script)
  assert.equal(status, 0)
  assert.match(stdout, /^reported first .*\nreported second .*\nthe end$/)
  assert.match(stderr, /^Error: first$[^]*^Error: second$/m)
})

test("without the handlers Node's own behaviour applies", async (t) => {
  const script = `Throwables.install()(); throw new Error('broken')`
  const { status, stderr } = await run(t, script)
  assert.equal(status, 1)
  assert.match(stderr, /Node\.js v/)
})

test('a deleted working folder does not prevent the report', async (t) => {
  const script = `import { mkdtempSync, rmdirSync } from 'node:fs'
    const folder = mkdtempSync('gone-')
    process.chdir(folder)
    rmdirSync(process.cwd())
    throw new Error('broken')`
  const { status, stderr } = await run(t, script)
  assert.equal(status, 255)
  assert.match(stderr, /^Error: broken\n {4}at .*script\.js:11:11\n/)
})

test('colours follow NO_COLOR and FORCE_COLOR, and are off for pipes by default', async (t) => {
  const colored = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
    const { stderr } = await run(t, `throw new Error('broken')`, env)
    return stderr.includes('\u001B[')
  }
  assert.equal(await colored({}), false)
  assert.equal(await colored({ FORCE_COLOR: '1' }), true)
  assert.equal(await colored({ FORCE_COLOR: '0' }), false)
  assert.equal(await colored({ NO_COLOR: '1' }), false)
})

test('a closed standard error does not change the exit', async (t) => {
  const closed = `import { closeSync } from 'node:fs'; told('reported'); closeSync(2)
    throw new Error('broken')`
  const { status, stdout } = await run(t, closed)
  assert.deepEqual([status, stdout], [255, 'reported broken {"origin":"exception"}\n'])

  const cwd = plantProject(t, { 'script.js': `${opening}throw new Error('broken')` })
  const child = spawn(process.execPath, ['--conditions=source', 'script.js'], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.destroy()
  assert.deepEqual(await once(child, 'exit'), [255, null])
})

test('report writes everything to a full non-blocking pipe', async (t) => {
  const script = `${opening}Throwables.verbosity = 1
    process.stderr.write('begin ')
    for (let n = 0; n < 200; n++) Throwables.report(new Error('x'.repeat(8000)))
    process.exit(0)`
  const cwd = plantProject(t, { 'script.js': script })
  const child = spawn(process.execPath, ['--conditions=source', 'script.js'], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  // Until it is full, so that writing fails with EAGAIN.
  await sleep(700)
  const received = Buffer.concat(await child.stderr.toArray()).toString()
  assert.equal(received, `begin ${`Error: ${'x'.repeat(8000)}\n`.repeat(200)}`)
})

test('framework/boot can be given to Node with --import as well', async (t) => {
  const cwd = plantProject(t, { 'script.js': `throw new Error('broken')` })
  const program = ['--conditions=source', '--import', 'framework/boot', join(cwd, 'script.js')]
  const { status, stderr } = await runCommand(t, [], { program, cwd })
  assert.equal(status, 255)
  assert.match(stderr, /^Error: broken\n {4}at script\.js:1:7\n/)
})
