import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Environments } from '../../src/settings/environments.ts'
import { Debugging, createThrowables } from '../../src/errors/throwables/throwables.ts'
import { markdownReport } from '../../src/errors/page/markdown-report.ts'
import { Page } from '../../src/errors/page/page.ts'
import { sectionsOf } from '../../src/errors/page/page-context.ts'
import { describe } from '../../src/errors/reports/description.ts'
import { toError } from '../../src/base/to-error.ts'
import { incidentOf } from '../../src/incidents/incident.ts'
import { otlpLogs } from '../../src/incidents/otlp-log-target.ts'
import { sentryEnvelope } from '../../src/incidents/sentry-target.ts'
import { RunningCommand } from '../support/command.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'
import { rawAnswer } from '../support/raw-answer.ts'
import { exchange } from '../support/raw-client.ts'
import { sampleSource } from '../support/sample-incident.ts'
import { leakyErrors, OPEN } from './leaky-errors.ts'
import { leakyRequests } from './leaky-requests.ts'
import { leaksIn, plantSecrets, spiced } from './planted-secrets.ts'
import type { Place, Secrets } from './planted-secrets.ts'

const secrets = plantSecrets()
const errors = leakyErrors(secrets)

const from = (file: string): string => pathToFileURL(join(import.meta.dirname, file)).href
const project = `import { appendFileSync } from 'node:fs'
  import { defineProject } from 'framework'
  import { Throwables } from 'framework/debugging'
  import { routeSet } from 'framework/http'
  import { leakyErrors } from '${from('leaky-errors.ts')}'
  const errors = leakyErrors(JSON.parse(process.env.PLANTED))
  Throwables.reporters.push((error, context) => {
    appendFileSync('reported.log', JSON.stringify(context) + '\\n')
  })
  const Leaks = routeSet('Leaks', (router) => {
    for (const [name, make] of Object.entries(errors)) {
      router.get('/' + name, () => { throw make() })
    }
    router.post('/message', () => { throw errors.message() }, { uploads: {} })
    router.get('/reset/:selector/:verifier/:token', () => { throw errors.message() })
    router.post('/json', async (request) => {
      await request.json()
      throw errors.message()
    })
    router.post('/wrapped', async (request) => {
      try {
        await request.json()
      } catch (cause) {
        throw new Error('the order cannot be read', { cause })
      }
    })
  })
  export default defineProject({ name: 'leaks', routes: [Leaks] })`

// Shows everything that an error page of a project could show.
const view = `<p>${OPEN}</p>
  <% for (const name in it) { %><%= name %>: <%~ JSON.stringify(it[name]) %><% } %>`

for (const environment of ['development', 'production', 'staging'] as const) {
  test(`${environment}: no secret of a failed request is in a response, a log or a report`, async (t) => {
    const root = plantProject(t, {
      'project.ts': project,
      'views/errors/400.template.html': view,
      'views/errors/500.template.html': view,
    })
    const collector = await startCollector(t, answer(200))
    const command = new RunningCommand(t, ['serve', '--environment', environment, '--port', '0'], {
      cwd: root,
      env: {
        PLANTED: JSON.stringify(secrets),
        MOTTO: spiced(secrets, 'process.env'),
        SENTRY_DSN: `${collector.url.replace('://', '://key@')}/42`,
        OTEL_LOGS_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    })
    const port = Number(new URL(await command.url()).port)
    const requests = leakyRequests(secrets, Object.keys(errors))
    const shown = new Map<string, string>()
    for (const { title, bytes, status } of requests) {
      const received = await exchange(port, bytes)
      const came = rawAnswer(received)
      assert.equal(came.status, status, `${title}: ${command.stderr}`)
      // The public values next to the secrets show that the page did not simply omit everything.
      if (isOpen(title, status, environment)) assert.ok(came.body.includes(OPEN), title)
      shown.set(title, received)
    }
    assert.equal(await command.stop(), 0)
    const failures = requests.filter(({ status }) => status === 500).length
    for (const file of ['reported.log', 'storage/logs/exceptions.log']) {
      const text = readFileSync(join(root, file), 'utf8')
      assert.equal(text.trimEnd().split('\n').length, failures, file)
      shown.set(file, text)
    }
    for (const target of ['/api/42/envelope/', '/v1/logs']) {
      const bodies = collector.posts.filter((post) => post.target === target)
      const text = bodies.map(({ body }) => String(body)).join('\n')
      // Those of one class and line are limited; each kind is there.
      for (const name of Object.keys(errors)) assert.ok(text.includes(`/${name}`), name)
      shown.set(target, text)
    }
    shown.set('standard output', command.stdout).set('standard error', command.stderr)
    assert.deepEqual(leaks(shown, secrets), {})
  })
}

for (const [name, make] of Object.entries(errors)) {
  test(`no secret of a thrown ${name} is in a report, a page or its Markdown`, () => {
    const throwables = createThrowables()
    throwables.verbosity = 6
    const context = {
      Settings: { open: OPEN, password: spiced(secrets, 'page context') },
      Address: new URL(`https://a:${encodeURIComponent(spiced(secrets, 'page context'))}@b.test`),
    }
    const thrown = make()
    const markdown = { root: process.cwd(), request: '' }
    const shown = new Map([
      ['terminal', throwables.render(thrown, Debugging.TARGET_CLI)],
      ['plain terminal', throwables.render(thrown)],
      ['html', throwables.render(thrown, Debugging.TARGET_HTML)],
      ['page', Page.render(thrown, context)],
      ['markdown', markdownReport(describe(toError(thrown)), sectionsOf(context), markdown)],
      ['sentry', sentryEnvelope(incidentOf(toError(thrown), context, 0), sampleSource, 0)],
      ['otlp', otlpLogs([incidentOf(toError(thrown), context, 0)], sampleSource, 0)],
    ])
    for (const [title, text] of shown) assert.ok(text.includes(OPEN), title)
    assert.deepEqual(leaks(shown, secrets), {})
  })
}

test('the search itself finds a secret raw, truncated, escaped, percent-encoded, in hex and in base64', () => {
  const [head, tail] = secrets.query
  const encoded = (before: string): string => Buffer.from(before + head).toString('base64')
  for (const text of [
    `x${head}x`,
    head.slice(0, 14),
    tail.slice(-14),
    encodeURIComponent(spiced(secrets, 'query')),
    `%${Buffer.from(tail).toString('hex').match(/../g)?.join('%')}`,
    encoded(''),
    encoded('a'),
    encoded('ab'),
    Buffer.from(`>>>${head}`).toString('base64url'),
  ]) {
    assert.deepEqual(leaksIn(text, secrets), ['query'], text)
  }
  assert.deepEqual(leaksIn(`nothing of ${OPEN}`, secrets), [])
})

/** The places whose secrets leaked, by where they were shown. */
function leaks(
  shown: ReadonlyMap<string, string>,
  planted: Secrets,
): Record<string, readonly Place[]> {
  const found = [...shown].map(([title, text]) => [title, leaksIn(text, planted)] as const)
  return Object.fromEntries(found.filter(([, those]) => those.length > 0))
}

function isOpen(title: string, status: number, environment: Environments): boolean {
  if (!title.endsWith('text/html')) return false
  return environment !== 'development' || (status === 500 && !title.startsWith('POST /wrapped'))
}
