import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const src = join(import.meta.dirname, '..', '..', 'src')

/** The number of our files that a server with two routes has loaded at its first response. It may only be lowered. */
const most = 107

/** Where they are: a folder, of which any file may be among them, or a file. */
const places = [
  'activity/',
  'base/',
  'devtools/inspector/inspector.ts',
  'devtools/observability/metrics-access.ts',
  'devtools/observability/observability.ts',
  'errors/reports/class-name.ts',
  'errors/throwables/',
  'events/',
  'http/errors/',
  'http/input/form-responses.ts',
  'http/input/old-input.ts',
  'http/input/read-fields.ts',
  'http/live/event-stream.ts',
  'http/live/event-streams.ts',
  'http/observability/telemetry.ts',
  'http/request/',
  'http/response/',
  'http/router/',
  'http/server/',
  'http/urls/',
  'i18n/english.ts',
  'openapi/open-api-document.ts',
  'openapi/path-template.ts',
  'public/http.ts',
  'settings/boot-environment.ts',
  'settings/environments.ts',
  'tracing/span.ts',
]

/** What they import of Node. An import also loads what is behind the lazy exports of `node:util` or `node:crypto`. */
const nodeModules: ReadonlySet<string> = new Set([
  'node:async_hooks',
  'node:buffer',
  'node:net',
  'node:os',
  'node:path',
  'node:stream',
  'node:stream/promises',
  'node:timers/promises',
])

const advice =
  'Every process with a server loads this, at about half a millisecond a file. Load it where it is first ' +
  'needed, with `lateModule`, `import()` or `process.getBuiltinModule`. If a bare server needs it, name it here.'

// With a server on `node:http` first: what it loads itself is not ours.
const program = `
import { registerHooks } from 'node:module'
const http = process.getBuiltinModule('node:http')
async function respond(port) {
  await new Promise((resolve, reject) => {
    http.get({ port, agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject)
  })
}
const raw = http.createServer((request, response) => response.end('{}'))
await new Promise((resolve) => raw.listen(0, '127.0.0.1', resolve))
await respond(raw.address().port)
await new Promise((resolve) => raw.close(resolve))
const importers = new Map()
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    if (!importers.has(found.url)) importers.set(found.url, context.parentURL ?? '')
    return found
  },
})
// The first one compiles TypeScript, with modules of its own.
await import(process.argv[1] + '/base/is-record.ts')
const before = new Set(process.moduleLoadList)
const { Server } = await import(process.argv[1] + '/public/http.ts')
const server = new Server().configure({ port: 0 })
server.router.get('/', () => ({ hello: 'world' }))
server.router.get('/users/:id', ({ params }) => ({ id: params.id }))
const { port } = await server.listen()
await respond(port)
await server.close()
const node = process.moduleLoadList.filter((name) => !before.has(name))
process.stdout.write(JSON.stringify({ imported: [...importers], node }))
`

test('a bare server loads no more than it needs', (t) => {
  const { imported, node } = loadedByBareServer()
  const names = new Map(imported.map(([url, importer]) => [nameOf(url), nameOf(importer)]))
  const others = [...names].filter(([name]) => !isNamed(name))
  assert.deepEqual(
    others.map(([name, importer]) => `${name}, imported by ${importer}`),
    [],
    advice,
  )
  const added = node.map((name) => name.replace(/^NativeModule (?!internal)/, 'node:'))
  assert.deepEqual(
    added.filter((name) => name.startsWith('node:') && !isNamed(name)),
    [],
    advice,
  )
  const { length } = [...names.keys()].filter((name) => !name.startsWith('node:'))
  t.diagnostic(`${length} files`)
  assert.ok(length <= most, `a bare server loads ${length} files, more than ${most}. ${advice}`)
  assert.ok(length > most - 5, `a bare server loads ${length} files only: lower the number here`)
})

interface Loaded {
  /** What is imported, and by whom first. */
  readonly imported: readonly (readonly [url: string, importer: string])[]
  readonly node: readonly string[]
}

function loadedByBareServer(): Loaded {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning']
  const run = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program, src], {
    encoding: 'utf8',
    // Those of the test runner load modules of their own.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(run.stdout)
}

function isNamed(name: string): boolean {
  return nodeModules.has(name) || places.some((place) => name.startsWith(place))
}

/** The path of a file below `src`, of one in a package, or the name of a module of Node. */
function nameOf(url: string): string {
  return url.replace(`file://${src}/`, '').replace(/^.*\/node_modules\//, 'node_modules/')
}
