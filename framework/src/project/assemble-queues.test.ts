import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { MemoryJobs } from '../queue/memory-jobs.ts'
import { queueWorker } from '../queue/run-queue.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import { Queue } from '../queue/queue.ts'
import { assembleQueues } from './assemble-queues.ts'
import { defineProject } from './project.ts'
import type { Project } from './project.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
const newQueue = (name: string): Queue<string> => new Queue(name, new MemoryJobs(), { encrypter })

function place(t: TestContext, project: Project) {
  const root = mkdtempSync(join(tmpdir(), 'assemble-queues-'))
  t.after(() => rmSync(root, { recursive: true }))
  return { root, project, environment: 'test', env: {} } as const
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
  const { workers, close } = await assembleQueues(place(t, project))
  const [worker] = workers
  assert.ok(worker !== undefined && workers.length === 1)
  await worker.queue.push('sent')
  assert.equal((await worker.run({ once: true })).done, 1)
  await close()
  assert.deepEqual(events, ['sent', 'closed last', 'closed first'])
})

test('a project without queues has none', async (t) => {
  const project = defineProject({ name: 'shop', routes: [] })
  const { workers, close } = await assembleQueues(place(t, project))
  assert.deepEqual(workers, [])
  await close()
})

test('a list that cannot be used is refused, and the services are closed all the same', async (t) => {
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
    await assert.rejects(assembleQueues(place(t, defineProject(definition))), {
      code: 'E_QUEUE',
      message,
    })
    assert.equal(closed, 1)
  }
  const definition: object = { name: 'shop', routes: [], queues: [worker] }
  assert.throws(() => Reflect.apply(defineProject, null, [definition]), {
    message: 'defineProject: "queues" must be a function',
  })
})
