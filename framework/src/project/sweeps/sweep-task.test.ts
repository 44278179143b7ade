import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { Scopes } from '../../activity/scopes.ts'
import { Channel } from '../../logs/channel.ts'
import { TaskActivity } from '../../schedule/bound-task.ts'
import { sweepTask } from './sweep-task.ts'

const due = new Date(0)
const context = {
  due,
  signal: new AbortController().signal,
  log: new Channel('schedule', { sinks: [] }),
}

test('the task sweep sweeps all stores, and fails by name if some of them do', async () => {
  const swept: string[] = []
  const good = { sweep: () => swept.push('good') }
  const bad = { sweep: () => Promise.reject(new Error('hunter22')) }
  const { name, run } = sweepTask({ cron: '15 4 * * *' })
  assert.equal(name, 'sweep')
  await run({ ...context, services: { good } })
  await assert.rejects(async () => run({ ...context, services: { bad, good } }), {
    code: 'E_TASK',
    message: 'cannot sweep bad',
  })
  assert.deepEqual(swept, ['good', 'good'])
})

test('what a request reports meanwhile does not make a sweep fail', async () => {
  const store = {
    sweep: async () => {
      Scopes.runOutside(() => Throwables.notify(new Error('of a request')))
      return 0
    },
  }
  const { run } = sweepTask({ cron: '15 4 * * *' })
  await Scopes.runActivity(new TaskActivity('sweep', due), async () =>
    run({ ...context, services: { store } }),
  )
})
