import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { closeDemo, registered } from '../../../demo/tests/auth/people.ts'
import { Visitor } from '../../../demo/tests/auth/visitor.ts'
import { preparedDatabase, serveDemo } from '../../../demo/tests/serve-demo.ts'
import type { ProjectServer } from '../../src/web/testing/project-server.ts'
import { oddBodies, oddHeaders, oddPaths } from './odd-requests.ts'

/** The number of requests per test; FUZZ_RUNS raises it. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 250)
/** No response takes this long, however busy the machine is. */
const maxAnswerMs = 120_000

let app: ProjectServer
before(async () => {
  const DATABASE_URL = await preparedDatabase({ after })
  app = await serveDemo({ environment: 'production', env: { DATABASE_URL } })
})
after(() => closeDemo(app))

const methods = fc.oneof(
  { weight: 10, arbitrary: fc.constant('POST') },
  { weight: 2, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE') },
)
let asked = 0

for (const who of ['a guest', 'somebody who is signed in']) {
  test(`nothing that ${who} sends to the account routes causes a failure`, async () => {
    const isMember = who !== 'a guest'
    let visitor = isMember ? (await registered(app)).visitor : new Visitor(app)
    await fc.assert(
      fc.asyncProperty(
        fc.record({ method: methods, url: oddPaths, sent: oddBodies, headers: oddHeaders }),
        async ({ method, url, sent: { type, body }, headers }) => {
          const token = { 'x-csrf-token': await visitor.token() }
          asked += 1
          const answer = await Promise.race([
            visitor.ask(url, {
              method,
              // A new address for each request, so that rate limits do not interfere.
              address: `2001:db8:${Math.floor(asked / 65_536)}:${(asked % 65_536).toString(16)}::1`,
              headers: { ...token, 'content-type': type, ...headers },
              ...(method !== 'GET' && method !== 'HEAD' && { body }),
            }),
            sleep(maxAnswerMs, null, { ref: false }),
          ])
          assert.ok(answer !== null, 'no answer')
          assert.ok(answer.status < 500, `${answer.status}: ${answer.text}`)
          if (isMember && !(await visitor.isSignedIn())) visitor = (await registered(app)).visitor
          if (!isMember) visitor = new Visitor(app)
        },
      ),
      { numRuns: runs },
    )
  })
}
