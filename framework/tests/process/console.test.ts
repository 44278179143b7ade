import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { plantProject } from '../support/plant-project.ts'

const project = `import { defineProject, env, scope } from 'framework'
  import { routeSet } from 'framework/http'
  import { word } from './word.ts'
  const shop = scope('shop', {
    size: env.integer('SHOP_SIZE', { default: 3, meaning: 'how big it is' }),
    till: env.url('SHOP_TILL', { default: 'http://localhost', meaning: 'where the till is' }),
    pin: env.string('SHOP_PIN', { default: '', secret: true, meaning: 'pin of the till' }),
  })
  const guard = (request, response, next) => next()
  const Home = routeSet('Home', (router) => {
    router.get('/', () => word, { name: 'home', middlewares: [guard] })
    router.post('/orders/:id', () => 'ordered')
    router.get('/fail', () => { throw new Error('the oven is cold') })
  })
  export default defineProject({
    name: 'shop',
    configs: { shop },
    services: ({ configs }) => ({ size: configs.shop.size }),
    routes: [Home],
    banner: ({ size }) => [{ label: 'size', value: String(size) }],
  })`
const files = { 'project.ts': project, 'word.ts': `export const word = 'bread'` }

test('help, with or without the word, lists the commands', async (t) => {
  for (const args of [[], ['help'], ['--help']]) {
    const { status, stdout, stderr } = await runCommand(t, args)
    assert.equal(status, 0)
    assert.equal(stderr, '')
    for (const name of ['serve', 'routes', 'config', 'check', 'ship-metrics', 'new', 'help']) {
      assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'))
    }
  }
})

test('help of a command lists its options', async (t) => {
  const { status, stdout } = await runCommand(t, ['help', 'serve'])
  assert.equal(status, 0)
  for (const option of ['project', 'environment', 'host', 'port', 'workers', 'https', 'watch']) {
    assert.match(stdout, new RegExp(`--${option}\\b`))
  }
})

test('an unknown command is a usage error that suggests the nearest', async (t) => {
  const { status, stderr } = await runCommand(t, ['serv'])
  assert.equal(status, 2)
  assert.match(stderr, /^error unknown command 'serv'\n\(Did you mean serve\?\)\n/)
})

test('an option of the wrong type is a usage error', async (t) => {
  for (const words of [['--port', 'x'], ['--workers', '0'], ['--environment', 'devel'], ['--x']]) {
    const { status, stderr } = await runCommand(t, ['serve', ...words])
    assert.equal(status, 2, words.join(' '))
    assert.match(stderr, /^error /)
  }
})

test('output is coloured only when forced', async (t) => {
  const plain = await runCommand(t, ['serv'])
  assert.ok(!plain.stderr.includes('\u001B'))
  const forced = await runCommand(t, ['serv'], { env: { FORCE_COLOR: '1' } })
  assert.ok(forced.stderr.startsWith('\u001B[31merror\u001B[39m'))
  const both = await runCommand(t, ['serv'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
  assert.ok(!both.stderr.includes('\u001B'))
})

test('a folder without a project is a user error', async (t) => {
  const cwd = plantProject(t, {})
  for (const command of ['serve', 'routes', 'config']) {
    const { status, stderr } = await runCommand(t, [command], { cwd })
    assert.equal(status, 1)
    assert.match(stderr, /^error there is no project in .* \[E_PROJECT_MISSING\]\n$/)
  }
})

test('an error inside the project is uncaught and has its stack', async (t) => {
  const cwd = plantProject(t, { 'project.ts': `null.x` })
  const { status, stderr } = await runCommand(t, ['routes'], { cwd })
  assert.equal(status, 255)
  assert.match(stderr, /^TypeError: [^\n]+\n[^]*project\.ts:1/)
})

test('config lists settings and their sources, without secrets', async (t) => {
  const cwd = plantProject(t, { ...files, '.env': 'SHOP_PIN=hunter2\nSHOP_SIZE=5\n' })
  const env = { SHOP_TILL: 'https://ada:hunter2@till.example/' }
  const table = await runCommand(t, ['config', '--environment', 'test'], { cwd, env })
  assert.equal(table.status, 0)
  assert.match(table.stdout, /^environment {2}test\n/)
  assert.match(table.stdout, /^shop +SHOP_SIZE +5 +\.env +how big it is$/m)
  assert.match(table.stdout, /^shop +SHOP_PIN +\*+ +\.env +pin of the till$/m)
  assert.match(table.stdout, /^shop +SHOP_TILL +https:\/\/\*+@till\.example\/ +the environment/m)
  assert.match(table.stdout, /^server +PORT +8087 +default /m)
  const json = await runCommand(t, ['config', '--json'], { cwd, env })
  assert.equal(JSON.parse(json.stdout).environment, 'production')
  for (const { stdout, stderr } of [table, json]) assert.doesNotMatch(stdout + stderr, /hunter2/)
})

test('serve, queue and config use the same site address', async (t) => {
  const cwd = plantProject(t, {
    'project.ts': `import { defineProject } from 'framework'
      export default defineProject({
        name: 'shop',
        services: ({ server }) => { console.log('links lead to <' + server.url + '>'); return {} },
        routes: [],
        queues: () => [],
      })`,
  })
  const port = String(await freePort())
  for (const [env, site] of [
    [{ PORT: port }, `http://localhost:${port}`],
    [{ PORT: port, HOST: 'localhost', APP_URL: '', WORKERS: '2' }, `http://localhost:${port}`],
  ] as const) {
    const { stdout } = await runCommand(t, ['config', '--json'], { cwd, env })
    const rows: readonly { variable: string; value: string }[] = JSON.parse(stdout).settings
    assert.equal(rows.find(({ variable }) => variable === 'APP_URL')?.value, site)
    const queue = await runCommand(t, ['queue', 'list'], { cwd, env })
    assert.match(queue.stdout, new RegExp(`links lead to <${site}>`))
    const server = new RunningCommand(t, ['serve'], { cwd, env })
    await server.url()
    assert.deepEqual(await server.said(/links lead to <(\S+)>/, 'WORKERS' in env ? 2 : 1), [site])
    server.child.kill('SIGTERM')
    await server.end()
  }
})

test('an invalid setting stops every command with its name, what was expected and what it got', async (t) => {
  const cwd = plantProject(t, { ...files, '.env': 'SHOP_SIZE=huge\n' })
  for (const command of ['config', 'routes', 'serve']) {
    const { status, stderr } = await runCommand(t, [command], { cwd, env: { PORT: '99999' } })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /SHOP_SIZE \(how big it is\) must be a whole number, got "huge" from \.env/,
    )
    assert.match(stderr, /PORT .* must be a port from 0 to 65535, got "99999" from the environment/)
    assert.match(stderr, /\[E_CONFIG_INVALID\]\n$/)
    assert.doesNotMatch(stderr, /\n {4}at /)
  }
  const verbose = await runCommand(t, ['config', '--verbose'], { cwd })
  assert.match(verbose.stderr, /\n {4}at /)
})

test('routes lists method, path, name, set and middlewares', async (t) => {
  const cwd = plantProject(t, files)
  const table = await runCommand(t, ['routes'], { cwd })
  assert.equal(table.status, 0)
  assert.match(table.stdout, /^GET +\/ +home +Home +guard$/m)
  assert.match(table.stdout, /^POST +\/orders\/:id +Home$/m)
  const guarded = await runCommand(t, ['routes', 'GUARD'], { cwd })
  assert.match(guarded.stdout, /^GET +\/ +home +Home +guard$/m)
  assert.doesNotMatch(guarded.stdout, /orders/)
  const json = await runCommand(t, ['routes', '--json', '--project', cwd])
  assert.deepEqual(JSON.parse(json.stdout)[0], {
    method: 'GET',
    pattern: '/',
    name: 'home',
    set: 'Home',
    middlewares: ['guard'],
  })
})

test('routes --chain prints what runs for a path, in order', async (t) => {
  const cwd = plantProject(t, files)
  const { status, stdout } = await runCommand(t, ['routes', '--chain', 'POST /orders/7'], { cwd })
  assert.equal(status, 0)
  assert.match(stdout, /^POST \/orders\/:id\nphase +runs\n +RequestIds\n +SecureHeaders\n/)
  assert.match(stdout, /^body +Forms\nhandler +\/orders\/:id\nfinish +SecureHeaders\n/m)
  const json = await runCommand(t, ['routes', '--json', '--chain', '/'], { cwd })
  const [chain, ...others] = JSON.parse(json.stdout)
  assert.deepEqual([chain.method, chain.pattern, others], ['GET', '/', []])
  assert.deepEqual(chain.steps.slice(-4, -2), [
    { phase: null, name: 'guard' },
    { phase: 'handler', name: 'home' },
  ])
  const missing = await runCommand(t, ['routes', '--chain', 'DELETE /'], { cwd })
  assert.deepEqual([missing.status, missing.stderr], [1, 'error: no route for DELETE /\n'])
  const wrong = await runCommand(t, ['routes', '--chain', 'login'], { cwd })
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /It must be a path such as \/login, or POST \/login/)
})

test('serve responds, prints one line, and ends with 0 on SIGTERM', async (t) => {
  const cwd = plantProject(t, files)
  const env = { APP_URL: 'https://shop.example', TRUSTED_PROXIES: '127.0.0.1', REQUEST_LOG: 'off' }
  const command = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env })
  const url = await command.url()
  assert.equal(await text(url), 'bread')
  assert.equal(await text(`${url}/health`), '{"status":"ok"}')
  const pid = command.child.pid
  const line = `shop serves ${url} environment=production workers=1 size=3 pid=${pid}\n`
  assert.equal(command.stdout, line)
  assert.equal(await command.stop(), 0)
  assert.equal(command.stderr, '')
})

test('an error in a handler is logged with its request, with LOG_FILE also to a file', async (t) => {
  const cwd = plantProject(t, files)
  const command = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env: { LOG_FILE: 'on' } })
  const answer = await fetch(`${await command.url()}/fail`)
  assert.equal(answer.status, 500)
  await command.said(/the oven is cold/)
  assert.equal(await command.stop(), 0)
  const log = readFileSync(join(cwd, 'storage', 'logs', 'exceptions.log'), 'utf8')
  const { message, context } = JSON.parse(log.split('\n')[0] ?? '')
  assert.equal(message, 'the oven is cold')
  assert.equal(context.URI, '/fail')
  assert.equal(context.request, answer.headers.get('x-request-id'))
})

test('flags win over settings, and the environment reaches the project', async (t) => {
  const told = `import { defineProject, FRAMEWORK_ENVIRONMENT } from 'framework'
    import { routeSet } from 'framework/http'
    const Told = routeSet('Told', (router) => { router.get('/', () => FRAMEWORK_ENVIRONMENT) })
    export default defineProject({ name: 'told', routes: [Told] })`
  const cwd = plantProject(t, { 'project.ts': told })
  const env = { HOST: '203.0.113.1', PORT: '1' }
  const args = ['serve', '--host', 'localhost', '--port', '0', '--environment', 'staging']
  const command = new RunningCommand(t, args, { cwd, env })
  assert.equal(await text(await command.url()), 'staging')
  assert.equal(await command.stop(), 0)
})

test('with workers the primary prints one banner with the lines of the services', async (t) => {
  const cwd = plantProject(t, files)
  const command = new RunningCommand(t, ['serve', '--port', '0', '--workers', '2'], { cwd })
  assert.equal(await text(await command.url()), 'bread')
  assert.match(
    command.stdout,
    /^shop serves \S+ environment=production workers=2 size=3 pid=\d+\n$/,
  )
  assert.equal(await command.stop(), 0)
})

test('workers that cannot start print the reason once', async (t) => {
  const broken = files['project.ts'].replace("'/orders/:id'", "'/orders/:'")
  const cwd = plantProject(t, { ...files, 'project.ts': broken })
  const { status, stderr } = await runCommand(t, ['serve', '--port', '0', '--workers', '2'], {
    cwd,
  })
  assert.equal(status, 1)
  assert.equal(stderr.match(/\/orders\/:/g)?.length, 1, stderr)
  assert.match(stderr, /\[E_WORKER_START\]\n$/)
})

test('a port in use is a user error', async (t) => {
  const cwd = plantProject(t, files)
  const first = new RunningCommand(t, ['serve', '--port', '0'], { cwd })
  const { port } = new URL(await first.url())
  const second = await runCommand(t, ['serve', '--port', port], { cwd })
  assert.equal(second.status, 1)
  assert.match(second.stderr, new RegExp(`^error port ${port} .* \\[E_LISTEN\\]\\n$`))
  await first.stop()
})

test('an uncaught throwable is logged, printed and ends the process with 255', async (t) => {
  const later = `import { defineProject } from 'framework'
    import { routeSet } from 'framework/http'
    const fail = () => { throw new RangeError('much later') }
    const Later = routeSet('Later', (router) => {
      router.get('/', () => void setImmediate(fail))
    })
    export default defineProject({ name: 'later', routes: [Later] })`
  const cwd = plantProject(t, { 'project.ts': later })
  const command = new RunningCommand(t, ['serve', '--port', '0'], { cwd })
  await fetch(await command.url()).catch(() => {})
  assert.equal(await command.end(), 255)
  assert.match(command.stderr, /^RangeError: much later\n/m)
  assert.match(command.stdout, /"channel":"exceptions","message":"much later"/)
})

test('--https serves TLS with the certificate kept in storage/tls', async (t) => {
  const cwd = plantProject(t, files)
  const command = new RunningCommand(t, ['serve', '--port', '0', '--https'], { cwd })
  const url = await command.url()
  const ca = readFileSync(join(cwd, 'storage', 'tls', 'local.pem'))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { ca, agent: false }, resolve).once('error', reject)
  })
  assert.match(url, /^https:/)
  assert.equal(Buffer.concat(await response.toArray()).toString(), 'bread')
  assert.equal(await command.stop(), 0)
})

test('--watch restarts after a change on the same port, waits after a crash, and stops both', async (t) => {
  const cwd = plantProject(t, files)
  const word = join(cwd, 'word.ts')
  const command = new RunningCommand(t, ['serve', '--port', '0', '--watch'], { cwd })
  const first = await command.url(1)
  assert.equal(await text(first), 'bread')

  writeFileSync(word, `export const word = 'cake'`)
  const second = await command.url(2)
  assert.match(command.stdout, /changed: word\.ts\n/)
  assert.equal(second, first)
  assert.equal(await text(second), 'cake')

  writeFileSync(word, `export const word = `)
  await command.said(/The server exited \(status 255\); it restarts with the next change\./)
  const absent = await fetch(first)
  assert.equal(absent.status, 503)
  assert.match(await absent.text(), /The server exited \(status 255\)/)
  writeFileSync(word, `export const word = 'pie'`)
  const third = await command.url(3)
  assert.equal(await text(third), 'pie')

  assert.equal(await command.stop(), 0)
  await assert.rejects(fetch(third))
})

async function text(url: string): Promise<string> {
  return (await fetch(url)).text()
}
