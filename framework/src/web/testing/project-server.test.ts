import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { routeSet } from '../router/route-set.ts'
import { defineProject } from '../projects/project.ts'
import { projectServer } from './project-server.ts'

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
