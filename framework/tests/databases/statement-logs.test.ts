import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { integer, key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { belongsTo } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { serveProject } from '../../src/project/start/serve-project.ts'
import { defineProject } from '../../src/project/project.ts'
import type { Project } from '../../src/project/project.ts'
import { RequestEvents } from '../../src/http/request/request-events.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { rawAnswer } from '../support/raw-answer.ts'
import type { RawAnswer } from '../support/raw-answer.ts'
import { exchange } from '../support/raw-client.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const Users = entity('users', { id: key.integer(), name: text() })
const Posts = entity('posts', {
  id: key.integer(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users),
  reader: belongsTo(() => Users),
  owner: belongsTo(() => Users),
})
/** The planted bug: the table has no such column. */
const Receipts = entity('receipts', { id: key.integer(), buyer: text(), total: integer() })

const tables = [
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(50))',
  'CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER, editor_id INTEGER, reader_id INTEGER, owner_id INTEGER)',
  'CREATE TABLE receipts (id INTEGER PRIMARY KEY, buyer VARCHAR(50))',
]

interface Services {
  readonly database: Database
}

class ReceiptError extends Error {
  readonly password = 'planted-in-a-property'
  readonly shelf = 4
}

async function loadReceipt(database: Database, buyer: string): Promise<unknown> {
  const receipts = new Repository(Receipts, database)
  return await receipts.first(receipts.select().filter('buyer', Operators.Equal, buyer))
}

const Shop = routeSet<Services>('Shop', (router, { database }) => {
  const users = new Repository(Users, database)
  const posts = new Repository(Posts, database)
  const listed = () => posts.select().order(Orders.Asc, 'id')

  router.get('/n-plus-one', async function listOneByOne() {
    const names: unknown[] = []
    for (const { authorId } of await posts.all(listed())) names.push(await users.find(authorId))
    return names.length
  })
  router.get('/with', async () => (await posts.all(listed().with('author'))).length)
  router.get('/four', async () => {
    return (await posts.all(listed().with('author', 'editor', 'reader', 'owner'))).length
  })
  router.get('/walk', async () => {
    let seen = 0
    for await (const post of posts.walk(listed().with('author'), { size: 1 })) seen += post.id
    return seen
  })
  router.get('/many', async () => {
    const rows = Array.from({ length: 4_500 }, (_, at) => ({ id: 100 + at, name: 'x' }))
    await database.transaction(async (transaction) => {
      await users.using(transaction).insertMany(rows)
      await users.using(transaction).deleteAll(users.select().filter('id', Operators.Greater, 99))
    })
    return rows.length
  })
  router.get('/slow', async () => {
    const tables = Array.from('abcdefgh', (name) => `users ${name}`).join(', ')
    const sql = `SELECT COUNT(*) AS n FROM ${tables} WHERE a.name <> 'planted-in-a-statement'`
    return String((await database.rows({ sql, parameters: [] })).length)
  })
  router.get('/receipts', async () => await loadReceipt(database, 'planted'))
  router.get('/receipts/:buyer', async (request) => {
    request.identity = { id: '7', email: 'planted@in-an-identity.example' }
    try {
      return await loadReceipt(database, String(request.query['buyer']))
    } catch (cause) {
      throw new ReceiptError('the receipt cannot be shown', { cause })
    }
  })
})

async function shop(url: string): Promise<Project> {
  const database = await connect(url)
  for (const sql of tables) await database.run({ sql, parameters: [] })
  const users = new Repository(Users, database)
  const posts = new Repository(Posts, database)
  for (const id of [1, 2, 3, 4, 5]) {
    await users.insert({ id, name: `user ${id}` })
    await posts.insert({ id, authorId: id, editorId: id, readerId: id, ownerId: id })
  }
  await database.close()
  return defineProject({
    name: 'shop',
    services: async () => ({ database: await connect(url) }),
    routes: [Shop],
    middlewares: () => [],
  })
}

interface Line {
  readonly message: string
  readonly context: Readonly<Record<string, unknown>>
}

function linesOf(root: string, channel: string): Line[] {
  const log = readFileSync(join(root, 'storage', 'logs', `${channel}.log`), 'utf8')
  return log
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

function here(context: Line['context'], name: string): string {
  const line = String(context[name])
  assert.ok(line.includes('statement-logs.test.ts:'), `${name}: ${line}`)
  return sourceAt(Number(/statement-logs\.test\.ts:(\d+)/.exec(line)?.[1]))
}

function sourceAt(line: number): string {
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
  return lines[line - 1]?.trim() ?? ''
}

onEveryDatabase((_, _open, create) => {
  describe('a statement for each row', () => {
    test('fails a test that refuses n+1, with statement, count, line and the way out', async (t) => {
      const app = await refusing(t, await shop(await create()))
      await assert.rejects(
        app.inject({ url: '/n-plus-one' }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'E_N_PLUS_ONE')
          assert.match(error.message, /^GET \/n-plus-one: the same statement ran 5 times from /)
          assert.match(error.message, /SELECT .*users.* with\(\)/s)
          assert.match(sourceAt(Number(/\.test\.ts:(\d+)/.exec(error.message)?.[1])), /users\.find/)
          return true
        },
      )
    })

    test('is not what with(), four relations, a walk and a list of rows are', async (t) => {
      const app = await refusing(t, await shop(await create()))
      const urls = ['/with', '/four', '/walk', '/many']
      const answers = await Promise.all(urls.map((url) => app.inject({ url })))
      assert.deepEqual(
        answers.map((answer) => answer.text),
        ['5', '5', '15', '4500'],
      )
    })

    test('is logged once for each request in development', async (t) => {
      const root = plantProject(t, {})
      const env = { LOG_LEVEL: 'warn', LOG_FILE: '1' }
      const project = await shop(await create())
      const app = await projectServer(project, { root, env, environment: 'development' })
      for (const url of ['/n-plus-one', '/with', '/n-plus-one']) await app.inject({ url })
      await app.close()
      const lines = linesOf(root, 'queries')
      assert.equal(lines.length, 2)
      const { message, context } = lines[0] ?? assert.fail()
      assert.match(message, /^the same statement ran 5 times from .*statement-logs\.test\.ts:\d+$/)
      assert.match(here(context, 'caller'), /users\.find/)
      assert.equal(context['count'], 5)
      assert.equal(context['title'], 'GET /n-plus-one')
      assert.match(String(context['statement']), /^SELECT .*users/)
      assert.match(String(context['fix']), /with\(\)/)
    })
  })

  test('in production the lines of an exception and of a slow statement lead to their code, and no secret is in them', async (t) => {
    const root = plantProject(t, {})
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    t.after(
      Emitter.Instance.listen(RequestEvents.Received, ({ activity }) => {
        if (activity !== null) activity.span = { traceId, spanId: '00f067aa0ba902b7' }
      }),
    )
    const served = await serveProject({
      root,
      project: await shop(await create()),
      environment: 'production',
      env: { LOG_FILE: '1', SLOW_QUERY_MS: '1' },
      port: 0,
      signals: false,
    })
    t.after(() => served.close())
    const asked = async (target: string): Promise<RawAnswer> => {
      const head = ['Host: localhost', 'Connection: close', 'Cookie: session=planted-in-a-cookie']
      const secret = 'Authorization: Bearer planted-in-a-header'
      const lines = [`GET ${target} HTTP/1.1`, ...head, secret, '', '']
      return rawAnswer(await exchange(served.port, lines.join('\r\n')))
    }
    assert.equal((await asked('/slow')).body, '1')
    const answer = await asked('/receipts/ada?buyer=planted-in-a-value&token=planted')
    assert.equal(answer.status, 500)
    await served.close()
    const slow = linesOf(root, 'queries').find(({ context }) => context['title'] === 'GET /slow')
    assert.equal(slow?.message, 'slow statement')
    assert.match(here(slow.context, 'caller'), /database\.rows/)
    assert.match(String(slow.context['statement']), /^SELECT COUNT.* WHERE a\.name <> \?$/)
    assert.ok(Number(slow.context['ms']) >= 1)
    assert.equal(slow.context['rows'], 1)
    const [line] = linesOf(root, 'exceptions')
    const { message, context } = line ?? assert.fail()
    assert.equal(message, 'the receipt cannot be shown')
    assert.equal(context['class'], 'ReceiptError')
    assert.match(here(context, 'stack'), /throw new ReceiptError/)
    assert.match(here(context, 'caller'), /receipts\.first/)
    assert.match(String(context['statement']), /^SELECT .*total.* FROM .*receipts/)
    assert.ok(Number(context['durationMs']) > 0)
    assert.equal(context['code'], 'E_STATEMENT')
    const [cause] = Array.isArray(context['causes']) ? context['causes'] : []
    assert.equal(cause.class, 'DatabaseError')
    // The stack of its own may end in the framework.
    assert.match(here({ stack: cause.stack[0] }, 'stack'), /receipts\.first/)
    assert.match(cause.message, /total/)
    assert.deepEqual(context['properties'], { password: '[redacted]', shelf: '4' })
    assert.equal(context['route'], '/receipts/:buyer')
    assert.equal(context['account'], '7')
    assert.equal(context['trace'], traceId)
    assert.equal(context['request'], answer.header('x-request-id'))
    const files = ['exceptions', 'queries', 'requests'].map((name) => linesOf(root, name))
    assert.doesNotMatch(JSON.stringify(files), /planted/)
  })
})

onEveryDatabase((_, _open, create) => {
  test('the page of a failed statement leads with the line of the project, and shows the statement', async (t) => {
    const app = await projectServer(await shop(await create()), {
      environment: 'development',
      root: plantProject(t, {}),
    })
    t.after(() => app.close())
    const { text: page } = await app.inject({ url: '/receipts', headers: { accept: 'text/html' } })
    const [, line] = /<p class="thrown">at .*?statement-logs\.test\.ts:(\d+)/.exec(page) ?? []
    assert.match(sourceAt(Number(line)), /receipts\.first/)
    assert.match(page, /<pre class="rest">SELECT .*total.* FROM .*receipts/)
    assert.doesNotMatch(page, /planted/)
  })
})

async function refusing(
  t: TestContext,
  project: Project,
): Promise<Awaited<ReturnType<typeof projectServer>>> {
  const app = await projectServer(project, { root: plantProject(t, {}), refuse: 'n+1' })
  t.after(() => app.close())
  return app
}
