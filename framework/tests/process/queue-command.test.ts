import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const files = {
  'migrations/20260101000000_create_jobs_table.ts': `
    import type { Schema } from 'framework/database'
    import { createJobsTable } from 'framework/queue'
    export const up = (schema: Schema) => createJobsTable(schema)
    export const down = (schema: Schema) => schema.dropTable('jobs')`,
  'seeds/letters.ts': `
    import { createSecretKey } from 'node:crypto'
    import { Encrypter } from 'framework'
    import { Queue, SqlJobs } from 'framework/queue'
    import { queueOptions } from '../project.ts'
    export async function seed(database) {
      const store = new SqlJobs(database)
      const mails = new Queue('mail', store, queueOptions())
      for (const text of ['good', 'bad', 'slow']) await mails.push({ text, link: 'https://x/reset/hunter2' })
      await mails.push({ text: 'later' }, { delay: 1000 })
      await new Queue('forgotten', store, queueOptions()).push({ text: 'x' })
    }`,
  'project.ts': `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { applicationKey, databaseScope, databaseUrlIn, defineProject, keyScope } from 'framework'
    import { connect } from 'framework/database'
    import { Queue, queueScope, queueStoreFrom, queueWorker } from 'framework/queue'

    const configs = { database: databaseScope, key: keyScope, queue: queueScope }
    const place = { root: import.meta.dirname, environment: 'development' } as const

    export function queueOptions() {
      const key = applicationKey({ current: null, previous: [] }, place)
      return { encrypter: key.encrypter('queue') }
    }

    export default defineProject({
      name: 'shop',
      configs,
      async services({ configs, root, environment }) {
        const database = await connect(databaseUrlIn(root, configs.database.url))
        const store = await queueStoreFrom(configs.queue, { database })
        const key = applicationKey(configs.key, { root, environment })
        const options = { ...configs.queue, encrypter: key.encrypter('queue') }
        const closing = { close: () => appendFileSync(root + '/closed', 'closed\\n') }
        return { database, closing, mails: new Queue<{ text: string }>('mail', store, options) }
      },
      routes: [],
      queues: ({ mails }) => [
        queueWorker(mails, async ({ payload }) => {
          appendFileSync(import.meta.dirname + '/done', 'begin ' + payload.text + '\\n')
          if (payload.text === 'bad') throw new TypeError('cannot send ' + JSON.stringify(payload))
          if (payload.text === 'slow') await sleep(1500)
          appendFileSync(import.meta.dirname + '/done', 'end ' + payload.text + '\\n')
        }),
      ],
    })`,
}

const env = { FRAMEWORK_ENVIRONMENT: 'development', QUEUE_ATTEMPTS: '1' }

type Answer = Awaited<ReturnType<typeof runCommand>>

function run(t: TestContext, cwd: string, line: string, more = {}): Promise<Answer> {
  return runCommand(t, line.split(' '), { cwd, env: { ...env, ...more } })
}

async function planted(t: TestContext): Promise<string> {
  const cwd = plantProject(t, files)
  const migrated = await run(t, cwd, 'migrate')
  assert.equal(migrated.status, 0, migrated.stderr)
  const seeded = await run(t, cwd, 'seed')
  assert.equal(seeded.status, 0, seeded.stderr)
  return cwd
}

const doneIn = (cwd: string): string =>
  existsSync(join(cwd, 'done')) ? readFileSync(join(cwd, 'done'), 'utf8') : ''

test('run --once works off the queue and stops; list, retry and clear show and change the queues', async (t) => {
  const cwd = await planted(t)
  const before = await run(t, cwd, 'queue list')
  assert.deepEqual([before.status, before.stderr], [0, ''])
  assert.match(before.stdout, /^queue +waiting +delayed +running +dead +oldest\n/)
  assert.match(before.stdout, /^mail +3 +1 +0 +0 +\d+ s$/m)
  assert.match(before.stdout, /^forgotten +1 +0 +0 +0 +\d+ s +has no worker$/m)

  const { status, stdout, stderr } = await run(t, cwd, 'queue run mail --once --concurrency 3')
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^mail has 3 waiting, 1 delayed, 0 dead jobs\n/)
  assert.match(
    stdout,
    /"message":"job dead","context":\{"queue":"mail","job":"2","attempt":1,"reason":"TypeError"\}/,
  )
  assert.match(stdout, /mail: 2 done, 0 failed, 1 dead\n$/)
  assert.deepEqual(doneIn(cwd).trim().split('\n').toSorted(), [
    'begin bad',
    'begin good',
    'begin slow',
    'end good',
    'end slow',
  ])
  assert.match(readFileSync(join(cwd, 'closed'), 'utf8'), /^(closed\n)+$/)

  const [listed] = JSON.parse((await run(t, cwd, 'queue list --json')).stdout)
  assert.deepEqual(listed, {
    queue: 'mail',
    handled: true,
    waiting: 0,
    delayed: 1,
    running: 0,
    dead: 1,
    age: 0,
    paused: false,
  })
  const dead = await run(t, cwd, 'queue list mail')
  assert.match(
    dead.stdout,
    /^job +attempts +added +died +last error\n2 +1 +\d.+Z +\d.+Z +TypeError\n$/,
  )
  const [later] = JSON.parse((await run(t, cwd, 'queue list mail --state waiting --json')).stdout)
  assert.deepEqual([later.id, later.attempts, later.reason], ['4', 0, null])
  assert.equal(
    (await run(t, cwd, 'queue list mail --state running')).stdout,
    'mail has no running jobs\n',
  )
  const paused = await run(t, cwd, 'queue pause mail')
  assert.equal(paused.stdout, 'mail: paused; running jobs are completed, no other is begun\n')
  assert.match((await run(t, cwd, 'queue list')).stdout, /^mail +0 +1 +0 +1 +paused$/m)
  assert.equal((await run(t, cwd, 'queue retry mail 2')).stdout, 'mail: job 2 will be retried\n')
  const held = await run(t, cwd, 'queue run mail --once')
  assert.match(
    held.stdout,
    /^mail has 1 waiting, 1 delayed, 0 dead jobs, and is paused\n.*mail: 0 done/s,
  )
  assert.equal((await run(t, cwd, 'queue resume mail')).stdout, 'mail: not paused any more\n')
  assert.match((await run(t, cwd, 'queue run mail --once')).stdout, /: 0 done, 0 failed, 1 dead$/m)
  const gone = await run(t, cwd, 'queue delete mail 99')
  assert.deepEqual([gone.status, gone.stderr], [1, 'error mail: job 99 is running or gone\n'])
  assert.equal((await run(t, cwd, 'queue delete forgotten 5')).stdout, 'forgotten: job 5 deleted\n')
  await run(t, cwd, 'seed')
  assert.equal((await run(t, cwd, 'queue clear mail')).stdout, 'mail: 6 jobs dropped\n')
  await run(t, cwd, 'seed')
  await run(t, cwd, 'queue run mail --once')
  assert.equal((await run(t, cwd, 'queue retry mail')).stdout, 'mail: 1 dead job will be retried\n')
  assert.equal(
    (await run(t, cwd, 'queue retry mail')).stdout,
    'mail: 0 dead jobs will be retried\n',
  )
  assert.equal((await run(t, cwd, 'queue clear mail')).stdout, 'mail: 2 jobs dropped\n')
  assert.equal((await run(t, cwd, 'queue clear forgotten')).stdout, 'forgotten: 2 jobs dropped\n')
})

test('SIGTERM finishes the current job, takes no other and ends with 0', async (t) => {
  const cwd = await planted(t)
  await run(t, cwd, 'queue clear mail')
  await run(t, cwd, 'seed')
  const command = new RunningCommand(t, ['queue', 'run', 'mail'], { cwd, env })
  await waitFor('the slow job', () => doneIn(cwd).includes('begin slow'))
  assert.equal(await command.stop(), 0)
  assert.match(doneIn(cwd), /end slow\n$/)
  assert.match(command.stdout, /mail: 2 done, 0 failed, 1 dead\n$/)
})

test('an unknown queue and wrong arguments have different errors', async (t) => {
  const cwd = await planted(t)
  for (const line of ['queue run nobody', 'queue retry nobody', 'queue list nobody']) {
    const { status, stderr } = await run(t, cwd, line)
    assert.equal(status, 1, line)
    assert.match(
      stderr,
      /^error the project has no queue "nobody"; it lists mail under "queues" .* \[E_QUEUE\]\n$/,
    )
  }
  for (const line of [
    'queue run',
    'queue run mail --concurrency 0',
    'queue dance',
    'queue delete mail',
  ]) {
    assert.equal((await run(t, cwd, line)).status, 2, line)
  }
  const help = await run(t, cwd, 'help queue')
  for (const name of ['run', 'list', 'retry', 'delete', 'clear', 'pause', 'resume']) {
    assert.match(help.stdout, new RegExp(`^ {2}${name} `, 'm'))
  }
})

test('in production the key is required, in development it is generated and kept', async (t) => {
  const cwd = await planted(t)
  assert.equal(statSync(join(cwd, 'storage', 'app.key')).mode & 0o777, 0o600)
  const refused = await run(t, cwd, 'queue list', { FRAMEWORK_ENVIRONMENT: 'production' })
  assert.equal(refused.status, 1)
  assert.match(
    refused.stderr,
    /^error APP_KEY is not set in the production environment; .* \[E_APP_KEY\]\n$/,
  )
  const redis = await run(t, cwd, 'queue list', { QUEUE_DRIVER: 'redis' })
  assert.match(
    redis.stderr,
    /^error QUEUE_DRIVER is redis but REDIS_URL is not set; .* \[E_QUEUE\]\n$/,
  )
})

test('no file of the project contains any part of a payload', async (t) => {
  const cwd = await planted(t)
  await run(t, cwd, 'queue run mail --once')
  for (const entry of readdirSync(join(cwd, 'storage'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('compiled')) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    // The exceptions log and the inspector contain what a handler threw: the project's own text.
    if (/^(?:exceptions\.log|inspector\.sqlite)/.test(entry.name)) continue
    assert.ok(!bytes.includes('hunter2'), entry.name)
  }
})
