import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { runSoak } from '../soak/run-soak.ts'
import { findPostgresPrograms } from '../support/postgres-programs.ts'
import { findRedisProgram } from '../support/redis-programs.ts'
import { programMissing } from '../support/test-programs.ts'

// `npm run soak` disturbs the site too.
const missing =
  (findPostgresPrograms() === null && programMissing('PostgreSQL')) ||
  (findRedisProgram() === null && programMissing('Redis')) ||
  (!existsSync('/proc/self/fd') && 'there is no /proc')

test(
  'each of five faults is found: a lost commit, a doubled job, a kept session, a file left open, a counter that falls',
  { skip: missing },
  async (t) => {
    const bugs = ['lost-commit', 'doubled-job', 'kept-session', 'open-file', 'reset-counter']
    const { found } = await runSoak(t, {
      database: 'postgres',
      bugs,
      seconds: 10,
      atLeast: { deposit: 120, look: 100, 'sign-out': 15, 'metrics read': 15 },
      kinds: [],
    })
    for (const expected of [
      'an acknowledged deposit is lost',
      'a job was added twice',
      'a session was valid after it had ended',
      'descriptors stay open',
      'a counter fell after "nothing"',
    ]) {
      assert.ok(
        found.some((line) => line.startsWith(expected)),
        `${expected} is not in ${found.join('\n')}`,
      )
    }
  },
)
