import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Encrypter } from '../../base/crypto/encrypter.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { MemoryJobs } from '../../queue/memory-jobs.ts'
import { queueWorker } from '../../queue/run-queue.ts'
import type { QueueWorker } from '../../queue/run-queue.ts'
import { Queue } from '../../queue/queue.ts'
import { projectServer } from '../../testing/project-server.ts'
import { defineProject } from '../project.ts'
import type { Project } from '../project.ts'
import type { Sweeps } from '../sweeps.ts'
import { openProject } from './open-project.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
const newQueue = (name: string): Queue<string> => new Queue(name, new MemoryJobs(), { encrypter })

function newRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'open-project-'))
  t.after(() => rmSync(root, { recursive: true }))
  return root
}

function optionsOf(t: TestContext, project: Project) {
  return {
    root: newRoot(t),
    project,
    environment: 'test',
    env: {},
    channel: 'queue',
    output: process.stdout,
  } as const
}

test('the queues of a project are built from its services, which are closed last first', async (t) => {
  const events: string[] = []
  const service = (name: string) => ({ close: () => void events.push(`closed ${name}`) })
  const project = defineProject({
    name: 'shop',
    services: () => ({ first: service('first'), mails: newQueue('mail'), last: service('last') }),
    routes: [],
    queues: ({ mails }) => [queueWorker(mails, ({ payload }) => void events.push(payload))],
  })
  const { queues, close } = await openProject(optionsOf(t, project))
  const workers = queues()
  const [worker] = workers
  assert.ok(worker !== undefined && workers.length === 1)
  await worker.queue.push('sent')
  assert.equal((await worker.run({ once: true })).done, 1)
  await close()
  assert.deepEqual(events, ['sent', 'closed last', 'closed first'])
})

test('a project without queues and sweeps has none', async (t) => {
  const project = defineProject({ name: 'shop', routes: [] })
  const { queues, sweeps, close } = await openProject(optionsOf(t, project))
  assert.deepEqual(queues(), [])
  assert.deepEqual(sweeps(), {})
  await close()
})

test('a list of queues that cannot be used is refused', async (t) => {
  const mails = newQueue('mail')
  const worker = queueWorker(mails, () => {})
  const lists: readonly (readonly [unknown, RegExp])[] = [
    [[worker, queueWorker(newQueue('mail'), () => {})], /"queues" lists mail twice/],
    [[mails], /"queues" must return a list of workers created by queueWorker\(\)/],
    [{ mail: worker }, /"queues" must return a list/],
    ['mail', /"queues" must return a list/],
  ]
  for (const [list, message] of lists) {
    let closed = 0
    const definition = {
      name: 'shop',
      services: () => ({ a: { close: () => void (closed += 1) } }),
      routes: [],
      queues: (): readonly QueueWorker[] => Object(list),
    }
    const { queues, close } = await openProject(optionsOf(t, defineProject(definition)))
    assert.throws(queues, { code: 'E_QUEUE', message })
    await close()
    assert.equal(closed, 1)
  }
  const definition: object = { name: 'shop', routes: [], queues: [worker] }
  assert.throws(() => Reflect.apply(defineProject, null, [definition]), {
    message: 'defineProject: "queues" must be a function',
  })
})

test('the sweeps of a project are built from its services, which are closed in reverse order', async (t) => {
  const events: string[] = []
  const service = (name: string) => ({
    sweep: () => events.push(`swept ${name}`),
    close: () => void events.push(`closed ${name}`),
  })
  const project = defineProject({
    name: 'shop',
    services: () => ({ first: service('first'), last: service('last') }),
    routes: [],
    sweeps: ({ first, last }) => ({ tokens: last, sessions: first }),
  })
  const { sweeps, close } = await openProject(optionsOf(t, project))
  assert.deepEqual(Object.keys(sweeps()), ['tokens', 'sessions'])
  assert.equal(await sweeps()['tokens']?.sweep(), 1)
  await close()
  assert.deepEqual(events, ['swept last', 'closed last', 'closed first'])
})

test('a service that fails to close is reported, and the others close once all the same', async (t) => {
  let closed = 0
  const reported: Error[] = []
  t.after(Throwables.add((throwable) => reported.push(throwable)))
  const error = new Error('planted')
  const project = defineProject({
    name: 'shop',
    services: () => ({
      first: { close: () => void (closed += 1) },
      last: { close: () => Promise.reject(error) },
    }),
    routes: [],
  })
  const { close } = await openProject(optionsOf(t, project))
  await close()
  await close()
  assert.deepEqual(reported, [error])
  assert.equal(closed, 1)
})

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['a list', [{ sweep: () => 0 }], /"sweeps" must return an object such as \{ tokens,/],
  ['a promise', Promise.resolve({}), /"sweeps" must return an object/],
  ['a map', new Map(), /"sweeps" must return an object/],
  ['a text', 'tokens', /"sweeps" must return an object/],
  [
    'an entry that cannot sweep',
    { tokens: {} },
    /"sweeps" returns "tokens", which has no sweep\(\)/,
  ],
  ['an entry of nothing', { tokens: null }, /"sweeps" returns "tokens"/],
]

for (const [what, given, message] of wrong) {
  test(`${what} in place of sweeps is refused, by the command and at the start of a server`, async (t) => {
    let closed = 0
    const sweeps = (): Sweeps => JSON.parse('null')
    const definition = {
      name: 'shop',
      services: () => ({ a: { close: () => void (closed += 1) } }),
      routes: [],
      sweeps,
    }
    Reflect.set(definition, 'sweeps', () => given)
    const project = defineProject(definition)
    const problem = { code: 'E_PROJECT', message }
    const opened = await openProject(optionsOf(t, project))
    assert.throws(opened.sweeps, problem)
    await opened.close()
    assert.equal(closed, 1)
    await assert.rejects(projectServer(project, { root: newRoot(t) }), problem)
    assert.equal(closed, 2)
  })
}

test('sweeps that are no function are refused where the project is defined', () => {
  const definition: object = { name: 'shop', routes: [], sweeps: {} }
  assert.throws(() => Reflect.apply(defineProject, null, [definition]), {
    code: 'E_PROJECT',
    message: 'defineProject: "sweeps" must be a function',
  })
})
