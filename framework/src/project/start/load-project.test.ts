import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { loadProject } from './load-project.ts'

test('the default export of project.ts is the project', async (t) => {
  const root = plantProject(t, {
    'project.ts': `import { defineProject } from 'framework'
      const name: string = 'shop'
      export default defineProject({ name, routes: [] })`,
  })
  const { name, configs } = await loadProject(root)
  assert.equal(name, 'shop')
  assert.deepEqual(configs, {})
})

test('project.js will do where there is no project.ts', async (t) => {
  const root = plantProject(t, {
    'project.js': `import { defineProject } from 'framework'
      export default defineProject({ name: 'plain', routes: [] })`,
  })
  assert.equal((await loadProject(root)).name, 'plain')
})

test('a folder without a project says what was looked for and what to do', async (t) => {
  const root = plantProject(t, {})
  await assert.rejects(loadProject(root), {
    code: 'E_PROJECT_MISSING',
    message:
      `there is no project in ${root}: looked for project.ts and project.js; ` +
      'create one with `framework new <folder>`, or pass its folder with --project',
  })
})

test('the error describes a default export of another kind', async (t) => {
  const cases: [string, RegExp][] = [
    ['export const project = 1', /its default export is missing$/],
    ['export default 1', /its default export is of type number$/],
    ['export default null', /its default export is null$/],
    [`export default { name: 'x', routes: [] }`, /was not passed to defineProject\(\)$/],
  ]
  for (const [text, message] of cases) {
    const root = plantProject(t, { 'project.ts': text })
    await assert.rejects(loadProject(root), { code: 'E_PROJECT', message })
  }
})

test('an error inside the project comes as it is', async (t) => {
  const root = plantProject(t, { 'project.ts': `throw new RangeError('of the project')` })
  await assert.rejects(loadProject(root), { name: 'RangeError', message: 'of the project' })
})
