import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { mailScope, mailerFrom } from '../mail/mail-settings.ts'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { command } from '../project/command.ts'
import { parameter } from '../project/parameter.ts'
import { Emitter, event } from '../events/emitter.ts'
import type { Mailer } from '../mail/mailer.ts'
import { Message } from '../mail/message.ts'
import { MemoryJobs } from '../queue/memory-jobs.ts'
import { queueWorker } from '../queue/run-queue.ts'
import { Queue } from '../queue/queue.ts'
import { Authentication } from '../accounts/guards/authentication.ts'
import { SessionGuard } from '../accounts/guards/session-guard.ts'
import { routeSet } from '../http/router/route-set.ts'
import { defineProject } from '../project/project.ts'
import { MemorySessions } from '../http/session/memory-sessions.ts'
import { Sessions } from '../http/session/sessions.ts'
import { projectServer } from './project-server.ts'
import { linkIn } from '../mail/mail-testing.ts'

const project = `import { defineProject, env, scope } from 'framework'
  import { routeSet } from 'framework/http'
  const shop = scope('shop', { word: env.string('SHOP_WORD', { default: 'none', meaning: 'a word' }) })
  export default defineProject({
    name: 'shop',
    configs: { shop },
    services: ({ configs, environment }) => ({ says: [configs.shop.word, environment] }),
    routes: [routeSet('Says', (router, { says }) => { router.get('/', () => says) })],
  })`

test('a project answers in the test environment without a port', async (t) => {
  const root = plantProject(t, { 'project.ts': project })
  const app = await projectServer(root)
  t.after(() => app.close())
  assert.deepEqual((await app.inject({ url: '/' })).json(), ['none', 'test'])
})

test('settings and environment can be chosen, and several workers are one here', async (t) => {
  const root = plantProject(t, { 'project.ts': project })
  const env = { SHOP_WORD: 'bread', WORKERS: '4' }
  const app = await projectServer(root, { environment: 'staging', env })
  t.after(() => app.close())
  assert.deepEqual((await app.inject({ url: '/' })).json(), ['bread', 'staging'])
})

test('a project can be handed in itself', async (t) => {
  const Hello = routeSet<object>('Hello', (router) => {
    router.get('/', () => 'hello')
  })
  const app = await projectServer(defineProject({ name: 'shop', routes: [Hello] }), {
    root: plantProject(t, {}),
  })
  t.after(() => app.close())
  assert.equal((await app.inject({ url: '/' })).text, 'hello')
})

const Greeting = routeSet<{ word: string; shout: () => string }>('Greeting', (router, services) => {
  router.get('/', () => services.word)
  router.get('/shout', () => services.shout())
})
const greeter = defineProject({
  name: 'shop',
  services: () => {
    const word: string = 'hello'
    return { word, shout: (): string => word.toUpperCase() }
  },
  routes: [Greeting],
})

test('the services of the project are at hand, with their types', async (t) => {
  const app = await projectServer(greeter, { root: plantProject(t, {}) })
  t.after(() => app.close())
  assert.equal(app.services.word.length, 5)
})

test('services can be replaced, by values or by a function of those that were built', async (t) => {
  const root = plantProject(t, {})
  const plain = await projectServer(greeter, { root, services: { word: 'bye' } })
  t.after(() => plain.close())
  assert.equal((await plain.inject({ url: '/' })).text, 'bye')
  assert.equal((await plain.inject({ url: '/shout' })).text, 'HELLO')
  const louder = await projectServer(greeter, {
    root,
    services: ({ shout }) => ({ shout: () => `${shout()}!` }),
  })
  t.after(() => louder.close())
  assert.equal((await louder.inject({ url: '/shout' })).text, 'HELLO!')
})

const Orders = event<[id: number]>('shop.order')

/** A project with sessions, mails and a queue. */
function shop() {
  const key = createSecretKey(randomBytes(32))
  const signedIn = new Authentication(new SessionGuard(), {
    fallback: (_request, response) => response.redirect('/login'),
  })
  const Shop = routeSet<{ mailer: Mailer; orders: Queue<number> }>('Shop', (router, services) => {
    router.get('/account', ({ identity }) => identity?.id ?? '', { middlewares: [signedIn] })
    router.get('/order/:id', async ({ params }) => {
      await services.orders.push(Number(params.id), { delay: 60 })
      Emitter.Instance.emit(Orders, Number(params.id))
      const to = 'ada@example.com'
      const text = 'Look at https://shop.example/orders/7?new=1 soon'
      await services.mailer.deliver(new Message({ to, subject: `Order ${params.id}`, text }))
      return 'ordered'
    })
  })
  const done: number[] = []
  const project = defineProject({
    name: 'shop',
    configs: { mail: mailScope },
    services: (boot) => ({
      mailer: mailerFrom(boot.configs.mail, boot),
      sessions: new Sessions(new MemorySessions(), { idle: 600 }),
      orders: new Queue<number>('orders', new MemoryJobs(), {
        encrypter: new Encrypter([key], 'queue'),
      }),
      now: boot.clock,
    }),
    sessions: ({ sessions }) => sessions,
    routes: [Shop],
    queues: ({ orders }) => [queueWorker(orders, ({ payload }) => void done.push(payload))],
  })
  return { project, done }
}

const quiet = { MAIL_HOST: '', MAIL_QUEUE: '' }

test('actingAs signs an account in without a password', async (t) => {
  const app = await projectServer(shop().project, { root: plantProject(t, {}), env: quiet })
  t.after(() => app.close())
  assert.equal((await app.visitor().ask('/account')).status, 303)
  const ada = await app.actingAs({ id: '7' })
  const { status, text } = await ada.ask('/account')
  assert.deepEqual([status, text], [200, '7'])
  // One visitor is not another.
  assert.equal((await app.visitor().ask('/account')).status, 303)
})

test('visitors get the options of the project server, and a call can override them', async (t) => {
  const Echo = routeSet<object>('Echo', (router) => {
    router.get('/', (request) => request.header('user-agent') ?? '')
  })
  const app = await projectServer(defineProject({ name: 'shop', routes: [Echo] }), {
    root: plantProject(t, {}),
    visitors: { agent: 'Lynx' },
  })
  t.after(() => app.close())
  assert.equal((await app.visitor().ask('/')).text, 'Lynx')
  assert.equal((await app.visitor({ agent: 'Links' }).ask('/')).text, 'Links')
})

test('outside the test environment nobody can act as somebody, or travel', async (t) => {
  for (const environment of ['development', 'staging', 'production'] as const) {
    const root = plantProject(t, {})
    const app = await projectServer(shop().project, { root, environment, env: quiet })
    await assert.rejects(app.actingAs({ id: '7' }), { code: 'E_TEST_ONLY' })
    assert.throws(() => app.travel(1), { code: 'E_TEST_ONLY' })
    await app.close()
  }
})

test('without sessions actingAs says what is missing', async (t) => {
  const app = await projectServer(greeter, { root: plantProject(t, {}) })
  t.after(() => app.close())
  await assert.rejects(app.actingAs({ id: '7' }), { code: 'E_SESSION_MISSING' })
})

test('a session ends when the clock has travelled, which comes back when the project is closed', async (t) => {
  const app = await projectServer(shop().project, { root: plantProject(t, {}), env: quiet })
  const ada = await app.actingAs({ id: '7' })
  app.travel(590)
  assert.equal((await ada.ask('/account')).status, 200)
  app.travel(601)
  assert.equal((await ada.ask('/account')).status, 303)
  assert.ok(app.services.now() > Date.now() / 1000 + 1100)
  const away = app.services.now()
  const comeBack = app.travel(3600)
  comeBack()
  comeBack()
  assert.ok(app.services.now() - away < 60)
  assert.throws(() => app.travel(Number.NaN), { code: 'E_INVALID_ARGUMENT' })
  await app.close()
  comeBack()
  assert.ok(Math.abs(app.services.now() - Date.now() / 1000) < 60)
})

test('mails, jobs and events of a project are looked into, and delayed jobs run after travelling', async (t) => {
  const { project, done } = shop()
  const app = await projectServer(project, { root: plantProject(t, {}), env: quiet })
  t.after(() => app.close())
  const orders = app.events.record(Orders)
  await app.inject({ url: '/order/3' })
  assert.deepEqual(orders, [[3]])
  assert.deepEqual(app.queues.pushed('orders'), [3])
  const mail = await app.mails.sent({ to: 'ada@example.com', subject: /^Order/ })
  assert.equal(mail.header('subject'), 'Order 3')
  assert.equal(linkIn(mail), '/orders/7?new=1')
  assert.deepEqual(await app.mails.all({ to: 'bob@example.com' }), [])

  assert.equal((await app.queues.work('orders')).done, 0)
  app.travel(61)
  assert.equal((await app.queues.work('orders')).done, 1)
  assert.deepEqual(done, [3])
  await assert.rejects(app.queues.work('mail'), { code: 'E_QUEUE', message: /there are orders$/ })
})

test('two projects in one process do not see the mails of each other', async (t) => {
  const root = plantProject(t, {})
  const one = await projectServer(shop().project, { root, env: quiet })
  const other = await projectServer(shop().project, { root, env: quiet })
  t.after(() => Promise.all([one.close(), other.close()]))
  await one.inject({ url: '/order/1' })
  assert.equal((await one.mails.all()).length, 1)
  assert.equal((await other.mails.all()).length, 0)
})

test('a command reads its words as on the command line, and its error comes through', async (t) => {
  const sell = command('sell', {
    description: 'sell items',
    args: { count: parameter.integer('how many') },
  }).run<{ sold: number[] }>(({ services: { sold }, args: { count }, print }) => {
    if (count > 9) throw new RangeError('not so many')
    sold.push(count)
    print(`sold ${count}`)
    return count - 1
  })
  const sold: number[] = []
  const project = defineProject({
    name: 'shop',
    services: () => ({ sold }),
    routes: [],
    commands: [sell],
  })
  const app = await projectServer(project, { root: plantProject(t, {}) })
  t.after(() => app.close())
  assert.deepEqual(await app.commands.run('sell', ['3']), {
    status: 2,
    lines: ['sold 3'],
    errors: '',
  })
  assert.deepEqual(sold, [3])
  const { status, errors } = await app.commands.run('sell', ['none'])
  assert.equal(status, 2)
  assert.match(errors, /'none' is invalid for argument 'count'/)
  assert.match((await app.commands.run('sel')).errors, /Did you mean sell\?/)
  const help = await app.commands.run('sell', ['--help'])
  assert.equal(help.status, 0)
  assert.match(help.lines.join('\n'), /sell items/)
  await assert.rejects(app.commands.run('sell', ['10']), { message: 'not so many' })
})

test('what is no event stream is said, with its status', async (t) => {
  const { project } = shop()
  const app = await projectServer(project, { root: plantProject(t, {}), env: quiet })
  t.after(() => app.close())
  const message = 'no event stream, but a response 404'
  await assert.rejects(app.visitor().stream('/nowhere'), { message })
})

test('a project that does not start leaves no folder behind', async (t) => {
  let folder = ''
  const services = (boot: { storageFolder: string }): never => {
    folder = boot.storageFolder
    throw new RangeError('no shelf')
  }
  const project = defineProject({ name: 'shop', services, routes: [] })
  const starting = projectServer(project, { root: plantProject(t, {}) })
  await assert.rejects(starting, { message: 'no shelf' })
  assert.match(folder, /storage-/)
  assert.equal(existsSync(folder), false)
})
