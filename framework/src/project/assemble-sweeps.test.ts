import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { projectServer } from '../testing/project-server.ts'
import { assembleSweeps } from './assemble-sweeps.ts'
import { defineProject } from './project.ts'
import type { Project } from './project.ts'
import type { Sweeps } from './sweepable.ts'

function folder(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'assemble-sweeps-'))
  t.after(() => rmSync(root, { recursive: true }))
  return root
}

function place(t: TestContext, project: Project) {
  return { root: folder(t), project, environment: 'test', env: {} } as const
}

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
  const { sweeps, close } = await assembleSweeps(place(t, project))
  assert.deepEqual(Object.keys(sweeps), ['tokens', 'sessions'])
  assert.equal(await sweeps['tokens']?.sweep(), 1)
  await close()
  assert.deepEqual(events, ['swept last', 'closed last', 'closed first'])
})

test('a project without sweeps has none', async (t) => {
  const { sweeps, close } = await assembleSweeps(
    place(t, defineProject({ name: 'shop', routes: [] })),
  )
  assert.deepEqual(sweeps, {})
  await close()
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
    await assert.rejects(assembleSweeps(place(t, project)), problem)
    assert.equal(closed, 1)
    await assert.rejects(projectServer(project, { root: folder(t) }), problem)
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
