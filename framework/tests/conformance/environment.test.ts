import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

// Prints what the program knows about its environment as one line of JSON.
const script = `import { Environments, FRAMEWORK_ENVIRONMENT } from 'framework'
  import { Server } from 'framework/http'
  const { FRAMEWORK_ENVIRONMENT: given = null } = process.env
  process.env.FRAMEWORK_ENVIRONMENT = 'development'
  const server = new Server({ reporter: null })
  server.router.get('/', () => { throw new Error('the oven is cold') })
  const answers = {}
  for (const accept of ['text/html', 'application/json']) {
    const { status, text } = await server.inject({ url: '/', headers: { accept } })
    answers[accept] = [status, text]
  }
  const fetched = Environments.fetch(given ?? undefined)
  console.log(JSON.stringify({ constant: FRAMEWORK_ENVIRONMENT, fetched, answers }))`

const cleanPage = /<h1>500<\/h1><p>Internal Server Error<\/p>/
const cleanPayload = '{"error":"Internal Server Error"}'

const unrecognised = [undefined, '', 'bogus', 'Development', 'development ', 'constructor']
for (const given of [...unrecognised, 'production', 'staging']) {
  const name = given === 'staging' ? 'staging' : 'production'
  test(`${given === undefined ? 'unset' : `"${given}"`} is ${name}, which shows no details`, async (t) => {
    const { constant, fetched, page, payload } = await startedIn(t, given)
    assert.deepEqual([constant, fetched], [name, name])
    assert.match(page.text, cleanPage)
    assert.deepEqual(payload, { status: 500, text: cleanPayload })
    assert.doesNotMatch(page.text, /oven|Error:|\.ts/)
  })
}

test('"development" is development, which shows the class, the message and the trace', async (t) => {
  const { constant, fetched, page, payload } = await startedIn(t, 'development')
  assert.deepEqual([constant, fetched], ['development', 'development'])
  assert.match(page.text, /the oven is cold/)
  const { error, message, file, trace } = JSON.parse(payload.text)
  assert.deepEqual([error, message, file], ['Error', 'the oven is cold', 'ask.ts'])
  assert.ok(trace.length > 0)
})

test('"test" is test, which responds with one space, whatever the client accepts', async (t) => {
  const { constant, fetched, page, payload } = await startedIn(t, 'test')
  assert.deepEqual([constant, fetched], ['test', 'test'])
  for (const answer of [page, payload]) assert.deepEqual(answer, { status: 500, text: ' ' })
})

const project = `import { defineProject } from 'framework'
  import { routeSet } from 'framework/http'
  const Home = routeSet('Home', (router) => {
    router.get('/', () => { throw new Error('the oven is cold') })
  })
  export default defineProject({ name: 'shop', routes: [Home] })`

test('a served project uses the environment of its process, production by default', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  for (const [given, detailed] of [
    [{}, false],
    [{ FRAMEWORK_ENVIRONMENT: 'Development' }, false],
    [{ FRAMEWORK_ENVIRONMENT: 'development' }, true],
  ] as const) {
    const command = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env: given })
    const answer = await fetch(await command.url(), { headers: { connection: 'close' } })
    assert.equal(answer.status, 500)
    assert.equal((await answer.text()).includes('the oven is cold'), detailed)
    await command.stop()
  }
})

interface Answer {
  readonly status: number
  readonly text: string
}

interface Findings {
  readonly constant: string
  readonly fetched: string
  readonly page: Answer
  readonly payload: Answer
}

/** Starts a program with this `FRAMEWORK_ENVIRONMENT`, which the program changes once it runs. */
async function startedIn(t: TestContext, given: string | undefined): Promise<Findings> {
  const cwd = plantProject(t, { 'ask.ts': script })
  const { status, stdout, stderr } = await runCommand(t, ['ask.ts'], {
    cwd,
    program: ['--conditions=source'],
    env: given === undefined ? {} : { FRAMEWORK_ENVIRONMENT: given },
  })
  assert.equal(status, 0, stderr)
  const { constant, fetched, answers } = JSON.parse(stdout)
  return {
    constant,
    fetched,
    page: answerOf(answers['text/html']),
    payload: answerOf(answers['application/json']),
  }
}

function answerOf([status, text]: readonly [number, string]): Answer {
  return { status, text }
}
