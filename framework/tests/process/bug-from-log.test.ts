import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoAccount } from '../../../demo/demo-account.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { overHttp } from '../support/over-http.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { spansIn } from '../support/spans-in.ts'

const bug = 'SELECT id, emial FROM users WHERE id = '
const secret = 'hunter2-secret'

/** Adds a page that fails in another file, in a statement. */
function plantBug(folder: string): void {
  writeFileSync(
    join(folder, 'receipts.ts'),
    `import { sql } from 'framework/database'
import type { Database } from 'framework/database'

export async function loadReceipt(database: Database, id: number) {
  const rows = await database.rows(sql\`${bug}\${id}\`)
  return rows[0]
}
`,
  )
  writeFileSync(
    join(folder, 'routes/receipts.ts'),
    `import { routeSet } from 'framework/http'
import { loadReceipt } from '../receipts.ts'
import type { Services } from '../services.ts'

export const Receipts = routeSet<Services>('Receipts', (router, { database, accounts }) => {
  router.get('/receipts/:id<int>', async function showReceipt({ params }) {
    try {
      return await loadReceipt(database, Number(params.id))
    } catch (cause) {
      throw new Error('the receipt cannot be shown', { cause })
    }
  }, { middlewares: [accounts.signedIn] })
})
`,
  )
  const manifest = join(folder, 'routes/manifest.ts')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(
    manifest,
    `import { Receipts } from './receipts.ts'\n${text.replace('  Home,\n', '  Home,\n  Receipts,\n')}`,
  )
}

interface ExceptionLine {
  readonly channel: string
  readonly message: string
  readonly context: Readonly<Record<string, unknown>> & {
    readonly stack: readonly string[]
    readonly causes: readonly { readonly message: string }[]
  }
}

test('one line of the production log leads to a planted bug, and holds no secret', async (t) => {
  const cwd = plantDemo(t)
  plantBug(cwd)
  const collector = await startCollector(t, answer(200))
  const development = { FRAMEWORK_ENVIRONMENT: 'development' }
  for (const command of ['migrate', 'seed']) {
    const { status, stderr } = await runCommand(t, [command], { cwd, env: development })
    assert.equal(status, 0, stderr)
  }
  const server = new RunningCommand(t, ['serve'], {
    cwd,
    env: {
      FRAMEWORK_ENVIRONMENT: 'production',
      PORT: '0',
      APP_KEY: randomBytes(32).toString('hex'),
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  })
  const visitor = new Visitor(overHttp(await server.url()), { tokenPage: '/login' })
  assert.equal((await visitor.submit('/login', demoAccount)).to, '/account')
  const headers = { authorization: `Bearer ${secret}` }
  const failed = await visitor.ask(`/receipts/7?token=${secret}`, { headers })
  assert.equal(failed.status, 500)
  assert.doesNotMatch(failed.text, /emial|receipts\.ts/)
  assert.equal(await server.stop(), 0, server.stderr)

  const lines = (server.stdout + server.stderr).split('\n').filter((line) => line.startsWith('{'))
  const line = lines.find((text) => text.includes('"channel":"exceptions"')) ?? ''
  const { message, context }: ExceptionLine = JSON.parse(line)
  assert.equal(message, 'the receipt cannot be shown')
  assert.match(context.stack[0] ?? '', /\bshowReceipt .*\(routes\/receipts\.ts:10:\d+\)$/)
  assert.match(context.causes[0]?.message ?? '', /no such column: emial/)
  const [file = '', number = ''] = String(context['caller']).split(':')
  const source = readFileSync(join(cwd, file), 'utf8').split('\n')
  assert.ok(source[Number(number) - 1]?.includes(bug), `${file}:${number}`)
  assert.equal(context['statement'], `${bug}?`)
  assert.equal(context['route'], '/receipts/:id<int>')
  assert.equal(context['account'], '1')
  const trace = spansIn(collector).filter(({ traceId }) => traceId === context['trace'])
  assert.ok(trace.some(({ name }) => name === 'GET /receipts/:id<int>'))
  assert.ok(trace.some(({ name }) => name === 'SELECT users'))
  assert.ok(Buffer.byteLength(line) <= 8_192)

  const told = [...lines, ...collector.posts.map(({ body }) => body.toString())].join('\n')
  for (const value of [
    secret,
    demoAccount.email,
    demoAccount.password,
    ...visitor.cookies.values(),
  ])
    assert.ok(!told.includes(value), value)
})
