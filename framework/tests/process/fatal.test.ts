import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { commandLine } from '../support/running-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const script = `import 'framework/boot'
import { createRequire } from 'node:module'
import { writeSync } from 'node:fs'
import { Throwables } from 'framework/debugging'
const require = createRequire(import.meta.url)
Throwables.reporters.push((error, context) => {
  const { severity, file, line } = error
  writeSync(1, JSON.stringify({ class: error.constructor.name, severity, file, line, ...context }) + '\\n')
})
`
const files = {
  'broken.js': 'export const a = 1\nexport const b = ;\n',
  'broken.cjs': 'exports.a = 1\nexports.b = ;\n',
  'broken.ts': 'export const a: number = 1\nexport const b: = 2\n',
  'nested.js': `import './broken.js'\n`,
  'broken.json': '{ "a": }',
}

for (const [load, name] of [
  [`await import('./broken.js')`, 'broken.js'],
  [`import('./broken.ts')`, 'broken.ts'],
  [`import('./nested.js')`, 'broken.js'],
  [`require('./broken.cjs')`, 'broken.cjs'],
  [`require('./broken.js')`, 'broken.js'],
  [`require('./broken.ts')`, 'broken.ts'],
] as const) {
  test(`${load} is a fatal error in line 2 of ${name}, reported once`, async (t) => {
    const cwd = plantProject(t, { ...files, 'script.js': script + load })
    const program = ['--conditions=source', 'script.js']
    const { status, stdout, stderr } = await runCommand(t, [], { program, cwd })
    assert.equal(status, 255)
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [{ class: 'ErrorException', severity: 4, file: join(cwd, name), line: 2, origin: 'fatal' }],
    )
    assert.match(
      stderr,
      new RegExp(`^ErrorException: .*\\n {4}at ${name.replace('.', '\\.')}:2:\\d+\\n`),
    )
    assert.match(stderr, /^ {2}> 2 \| export/m)
    assert.match(stderr, /^Caused by SyntaxError: /m)
  })
}

test('a static import that does not parse is one when Node gets framework/boot first', async (t) => {
  const cwd = plantProject(t, { ...files, 'script.js': `import './nested.js'\n` })
  const program = ['--conditions=source', '--import', 'framework/boot', 'script.js']
  const { status, stderr } = await runCommand(t, [], { program, cwd })
  assert.equal(status, 255)
  assert.match(stderr, /^ErrorException: Unexpected token ';'\n {4}at broken\.js:2:\d+\n/)
})

test('JSON that does not parse is an ordinary error', async (t) => {
  for (const load of [`JSON.parse('{ "a": }')`, `require('./broken.json')`]) {
    const cwd = plantProject(t, { ...files, 'script.js': script + load })
    const program = ['--conditions=source', 'script.js']
    const { status, stdout } = await runCommand(t, [], { program, cwd })
    assert.equal(status, 255)
    assert.deepEqual(JSON.parse(stdout), { class: 'SyntaxError', origin: 'exception' })
  }
})

const server = join(import.meta.dirname, 'memory-server.ts')
const planted = { PLANTED: 'planted-value' }

test('a single process that ran out of memory is reported by the next one, once', async (t) => {
  const reports = join(folder(t), 'storage', 'reports')
  const [first, url] = await startServer(t, reports, '--max-old-space-size=64')
  const [placeholder = ''] = readdirSync(reports)
  assert.equal(statSync(join(reports, placeholder)).mode & 0o777, 0o600)
  await assert.rejects(fetch(`${url}/eat`))
  assert.equal(await first.end(), 'SIGABRT')
  assert.deepEqual(readdirSync(reports), [`fatal-${first.child.pid}.json`])
  assert.equal(statSync(join(reports, placeholder)).mode & 0o777, 0o600)

  const [second] = await startServer(t, reports)
  const [line = ''] = reportedBy(second)
  const { severity, message, context } = JSON.parse(line)
  assert.equal(severity, 1)
  assert.match(message, /heap out of memory/)
  assert.deepEqual(context, { origin: 'fatal' })
  assert.match(second.stderr, /^ErrorException: .*heap out of memory\n/)
  assert.deepEqual(readdirSync(reports), [`fatal-${second.child.pid}.json`])

  const [third] = await startServer(t, reports)
  assert.deepEqual([reportedBy(second).length, reportedBy(third).length], [1, 0])
  for (const command of [second, third]) assert.equal(await command.stop(), 0)
  assert.deepEqual(readdirSync(reports), [])
})

test('a single process whose report could contain its environment leaves no report, and says so', async (t) => {
  const reports = folder(t)
  const program = ['--conditions=source', '--max-old-space-size=64', server]
  const command = new RunningCommand(t, [JSON.stringify({ reports })], { program, env: planted })
  const [port] = await command.said(/"port":(\d+)/)
  await command.said(/"log":"no diagnostic report is left: start Node with --report-exclude-env"/)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/eat`))
  assert.equal(await command.end(), 'SIGABRT')
  assert.deepEqual(readdirSync(reports), [])
})

for (const watch of [[], ['--watch']]) {
  test(`${['framework serve', ...watch].join(' ')} runs so that no report can contain the environment`, async (t) => {
    const project = `import { defineProject } from 'framework'
      import { routeSet } from 'framework/http'
      const Home = routeSet('Home', (router) => {
        router.get('/pid', () => String(process.pid))
        router.get('/eat', async () => {
          const eaten = []
          for (;;) eaten.push(Array.from({ length: 1_000 }, (_, at) => ({ at })))
        })
      })
      export default defineProject({ name: 'eater', routes: [Home] })`
    const cwd = plantProject(t, { 'project.ts': project })
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'framework.js')
    const program = ['--conditions=source', '--max-old-space-size=64', bin]
    const options = { program, cwd, env: planted }
    const command = new RunningCommand(t, ['serve', '--port', '0', ...watch], options)
    const url = await command.url()
    const pid = Number(await (await fetch(`${url}/pid`)).text())
    if (watch.length === 0) assert.equal(pid, command.child.pid)
    const words = commandLine(pid)
    assert.match(words, /--report-exclude-env /)
    assert.match(words, /--max-old-space-size=64 /, 'and with what the program asked for')
    await assert.rejects(fetch(`${url}/eat`))
    const report = join(cwd, 'storage', 'reports', `fatal-${pid}.json`)
    await waitFor('the report', () =>
      /heap out of memory[^]*\}\s*$/.test(readFileSync(report, 'utf8')),
    )
    assert.doesNotMatch(readFileSync(report, 'utf8'), /planted-value|environmentVariables/)
    if (watch.length === 0) assert.equal(await command.end(), 'SIGABRT')
    else assert.equal(await command.stop(), 0)
  })
}

test('of many processes that start at once only one reports a leftover', async (t) => {
  const reports = folder(t)
  const left = { header: { event: 'out of memory', trigger: 'OOMError' } }
  for (const pid of [999_999_991, 999_999_992, 999_999_993]) {
    writeFileSync(join(reports, `fatal-${pid}.json`), JSON.stringify(left))
  }
  const started = await Promise.all(Array.from({ length: 6 }, () => startServer(t, reports)))
  const reported = started.flatMap(([command]) => reportedBy(command))
  assert.equal(reported.length, 3)
  assert.equal(readdirSync(reports).length, 6, 'each has its own empty file')
})

test('a report that several processes try to take at once goes to one of them', async (t) => {
  const [reports, gate] = [folder(t), join(folder(t), 'gate')]
  const events = Array.from({ length: 300 }, (_, at) => `fatal ${at}`)
  for (const [at, event] of events.entries()) {
    const report = { header: { event, trigger: 'OOMError' } }
    writeFileSync(join(reports, `fatal-${900_000_000 + at}.json`), JSON.stringify(report))
  }
  const child = join(import.meta.dirname, 'take-reports-child.ts')
  const program = ['--conditions=source', child]
  const started = Array.from({ length: 4 }, () => {
    return new RunningCommand(t, [reports, gate], { program })
  })
  await Promise.all(started.map((command) => command.said(/ready/)))
  writeFileSync(gate, '')
  await Promise.all(started.map((command) => command.end()))
  const taken = started.flatMap(({ stdout }): string[] => JSON.parse(stdout.replace('ready', '')))
  assert.deepEqual(taken.toSorted(), events.toSorted())
})

test('a server starts even if the report folder cannot be created', async (t) => {
  const file = join(folder(t), 'file')
  writeFileSync(file, '')
  const [command, url] = await startServer(t, join(file, 'reports'))
  assert.equal((await fetch(`${url}/pid`)).status, 200)
  assert.match(command.stdout, /"log":"no diagnostic report can be left"/)
})

test('a killed process leaves an empty file, which the next one removes', async (t) => {
  const reports = folder(t)
  const [first] = await startServer(t, reports)
  first.child.kill('SIGKILL')
  await first.end()
  assert.equal(readFileSync(join(reports, `fatal-${first.child.pid}.json`), 'utf8'), '')
  const [second] = await startServer(t, reports)
  assert.deepEqual(reportedBy(second), [])
  assert.deepEqual(readdirSync(reports), [`fatal-${second.child.pid}.json`])
})

/** A single-process server that leaves reports in a folder, and its address. */
async function startServer(
  t: TestContext,
  reports: string,
  ...flags: string[]
): Promise<[RunningCommand, string]> {
  const program = ['--conditions=source', '--report-exclude-env', ...flags, server]
  const command = new RunningCommand(t, [JSON.stringify({ reports })], { program })
  const [port] = await command.said(/"port":(\d+)/)
  return [command, `http://127.0.0.1:${port}`]
}

function reportedBy({ stdout }: RunningCommand): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('{"reported"'))
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-fatal-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
