import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { isSignedIn, registered } from '../../../demo/tests/auth/people.ts'
import { serveDemo, site } from '../support/demo-tests.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import type { Server } from '../../src/http/server/server.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { hostileRequests } from './hostile-requests.ts'
import type { RouteTarget } from './hostile-requests.ts'
import { oddBodies, oddHeaders, oddTargets } from './odd-requests.ts'

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')
/** The number of requests per route and visitor; FUZZ_RUNS raises it. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 6)
/** The same requests each time, unless FUZZ_SEED says otherwise. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_116)
/** No response takes this long, however busy the machine is. */
const maxAnswerMs = 120_000

/** Fails on purpose, to show an error page. */
const failing = new Set(['/error'])

onEveryDatabase((name, _open, create) => {
  let app: Server
  const reported: unknown[] = []
  const report = (error: unknown): void => void reported.push(error)
  before(async () => {
    const env = { APP_URL: site, APP_KEY: randomBytes(32).toString('hex'), LOG_LEVEL: 'silent' }
    const DATABASE_URL = await create()
    // The test environment creates the tables, production does not.
    await (await serveDemo({ env: { DATABASE_URL } })).close()
    const { server } = await assembleProject({
      root: demo,
      environment: 'production',
      env: { ...process.env, ...env, DATABASE_URL, REDIS_URL: '', MAIL_HOST: '', MAIL_QUEUE: '' },
      workers: 1,
    })
    app = server
    Throwables.reporters.push(report)
  })
  after(async () => {
    Throwables.reporters.splice(Throwables.reporters.indexOf(report), 1)
    await app.close()
  })

  // A new address for each request, so that rate limits do not interfere.
  let asked = 0
  const address = (): string => {
    asked += 1
    return `2001:db8:${Math.floor(asked / 65_536)}:${(asked % 65_536).toString(16)}::1`
  }
  const routes = (): RouteTarget[] => [
    ...app.router.routes().filter(({ pattern }) => !failing.has(pattern)),
    { method: 'GET', pattern: '/style.css' },
    { method: 'GET', pattern: '/nowhere/:else' },
  ]

  for (const who of ['a guest', 'somebody who is signed in']) {
    const isMember = who !== 'a guest'

    test(`no hostile value that ${who} sends to any route causes a failure on ${name}`, async () => {
      let { visitor } = isMember
        ? await registered(app)
        : { visitor: new Visitor(app, { tokenPage: '/login' }) }
      let token = await visitor.token()
      for (const route of routes()) {
        for (const request of hostileRequests(route, token)) {
          const { status, text } = await visitor.ask(request.url, {
            ...request,
            address: address(),
          })
          const line = `${route.method} ${request.url.slice(0, 200)}`
          assert.ok(status < 500, `${line} ${status}: ${text}`)
          assert.deepEqual(reported, [], line)
        }
        // A form may have signed it out.
        if (isMember && !(await isSignedIn(visitor))) ({ visitor } = await registered(app))
        token = await visitor.token()
      }
    })

    test(`nothing odd that ${who} sends to any route causes a failure on ${name}`, async (t) => {
      t.diagnostic(`FUZZ_SEED=${seed} FUZZ_RUNS=${runs}`)
      let visitor = isMember
        ? (await registered(app)).visitor
        : new Visitor(app, { tokenPage: '/login' })
      for (const [index, route] of routes().entries()) {
        const requests = fc.record({
          target: oddTargets(route),
          sent: oddBodies,
          headers: oddHeaders,
        })
        const property = fc.asyncProperty(requests, async ({ target, sent, headers }) => {
          const { method, url } = target
          const token = { 'x-csrf-token': await visitor.token() }
          const answer = await Promise.race([
            visitor.ask(url, {
              method,
              address: address(),
              headers: { ...token, 'content-type': sent.type, ...headers },
              ...(method !== 'GET' && method !== 'HEAD' && { body: sent.body }),
            }),
            sleep(maxAnswerMs, null, { ref: false }),
          ])
          assert.ok(answer !== null, 'no answer')
          assert.ok(answer.status < 500, `${answer.status}: ${answer.text}`)
          assert.deepEqual(reported, [])
          if (isMember && !(await isSignedIn(visitor))) visitor = (await registered(app)).visitor
          if (!isMember) visitor = new Visitor(app, { tokenPage: '/login' })
        })
        await fc.assert(property, { numRuns: runs, seed: seed + index })
      }
    })
  }
})
