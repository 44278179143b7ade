import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Channel } from '../logs/channel.ts'
import { Activity, ActivityKinds } from './activity.ts'
import { Crumbs, crumbSteps } from './crumbs.ts'
import { CurrentWork } from './current-work.ts'
import { StepKinds } from './step.ts'
import { countStatements, Steps } from './steps.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Job
  readonly id = 'j1'
  readonly title = 'mail'
  readonly account = null
}

const shown = (work: Activity): string[] =>
  Crumbs.of(work).map(({ kind, name, text }) => [kind, name, text].filter(Boolean).join(' '))

test('an activity has its last 24 steps, short statements too, in the order in which they began', () => {
  const steps = new Steps()
  steps.watch(crumbSteps)
  const work = new Work()
  CurrentWork.runActivity(work, () => {
    const long = steps.begin(StepKinds.Mail, 'smtp', '<1@x>', '', 40)
    for (let at = 0; at < 500; at += 1) {
      assert.equal(steps.skipsStatement(`SELECT ${at}`, at / 10, at / 10 + 1), true)
    }
    long?.end(0, null, 60)
  })
  // Of others nothing is kept, and outside nothing at all.
  steps.skipsStatement('SELECT 1', 0, 1)
  const texts = shown(work)
  assert.equal(texts.length, 24)
  assert.equal(texts[0], 'mail smtp <1@x>')
  assert.equal(texts.at(-1), 'sql SELECT 499')
  assert.ok((work.crumbs?.length ?? 0) < 48)
})

test('statements that nobody wants as crumbs leave nothing', () => {
  const steps = new Steps()
  steps.watch(countStatements)
  const stop = steps.watch(crumbSteps)
  const work = new Work()
  stop()
  CurrentWork.runActivity(work, () => steps.skipsStatement('SELECT 1', 0, 1))
  assert.equal(work.crumbs, null)
  assert.equal(work.statements, 1)
})

test('log lines and calls of other servers are crumbs while somebody keeps them', async (t) => {
  const server = createServer((_, response) => response.writeHead(503).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const channel = new Channel('shop', { sinks: [], level: 'info' })
  const work = new Work()
  const act = () =>
    CurrentWork.runActivity(work, async () => {
      channel.info('paid with password=hunter2')
      channel.debug('too quiet')
      await (await fetch(`${url}/charge?card=4111`)).text()
    })
  await act()
  assert.deepEqual(shown(work), [])
  const stops = [Crumbs.keep(), Crumbs.keep()]
  t.after(() => stops.map((stop) => stop()))
  await act()
  assert.deepEqual(shown(work), [
    'log info shop: paid with password=[redacted]',
    `fetch GET ${url}`,
  ])
  assert.equal(Crumbs.of(work)[1]?.failure, '503')
})
