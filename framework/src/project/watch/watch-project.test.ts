import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { watchProject, changeKind } from './watch-project.ts'

interface Watched {
  readonly root: string
  /** Makes a change and resolves with the files that were told. */
  readonly after: (change: () => void) => Promise<readonly string[]>
}

function watchedProject(t: TestContext): Watched {
  const root = plantProject(t, {
    'project.ts': '',
    'routes/home.ts': '',
    'public/style.css': '',
    'storage/kept.json': '',
    'migrations/20260101000000_create_posts_table.ts': '',
  })
  let told: readonly string[] | undefined
  t.after(
    watchProject(root, (files) => {
      told = files
    }),
  )
  return {
    root,
    after(change) {
      told = undefined
      change()
      return waitFor('a change to be told', () => told)
    },
  }
}

test('changed, new, renamed and removed files are reported', async (t) => {
  const { root, after } = watchedProject(t)
  const home = join(root, 'routes/home.ts')
  assert.deepEqual(await after(() => appendFileSync(home, '//')), ['routes/home.ts'])
  assert.deepEqual(await after(() => writeFileSync(join(root, '.env'), 'A=1')), ['.env'])
  // Editors write a new file and put it in the place of the old one, more than once.
  for (const round of [1, 2]) {
    const fresh = join(root, 'routes', `fresh-${round}`)
    writeFileSync(fresh, '')
    assert.deepEqual(await after(() => renameSync(fresh, home)), ['routes/home.ts'])
  }
  assert.deepEqual(await after(() => rmSync(home)), ['routes/home.ts'])
})

test('changes close together are reported together', async (t) => {
  const { root, after } = watchedProject(t)
  const files = await after(() => {
    appendFileSync(join(root, 'project.ts'), '//')
    appendFileSync(join(root, 'routes/home.ts'), '//')
  })
  assert.deepEqual(files, ['project.ts', 'routes/home.ts'])
})

test('files in a new folder are reported, existing ones and later ones', async (t) => {
  const { root, after } = watchedProject(t)
  const first = await after(() => {
    mkdirSync(join(root, 'views/pages'), { recursive: true })
    writeFileSync(join(root, 'views/pages/home.template.html'), '')
  })
  assert.deepEqual(first, ['views/pages/home.template.html'])
  const later = await after(() => appendFileSync(join(root, first[0] ?? ''), 'x'))
  assert.deepEqual(later, first)
})

test('data, dependencies and drafts of editors are not watched', async (t) => {
  const { root, after } = watchedProject(t)
  const files = await after(() => {
    writeFileSync(join(root, 'storage/kept.json'), '{}')
    writeFileSync(join(root, 'public/.style.css.swp'), '')
    writeFileSync(join(root, 'public/style.css~'), '')
    writeFileSync(join(root, 'node_modules/x.js'), '')
    writeFileSync(join(root, 'notes.txt'), '')
    // Told in the end, so that there is something to wait for.
    writeFileSync(join(root, 'project.ts'), '//')
  })
  assert.deepEqual(files, ['project.ts'])
})

test('of static files every kind is reported, in new folders too', async (t) => {
  const { root, after } = watchedProject(t)
  const first = await after(() => writeFileSync(join(root, 'public/style.css'), 'a {}'))
  assert.deepEqual(first, ['public/style.css'])
  const second = await after(() => {
    mkdirSync(join(root, 'public/fonts'))
    writeFileSync(join(root, 'public/fonts/serif.woff2'), '')
  })
  assert.deepEqual(second, ['public/fonts/serif.woff2'])
})

test('templates and static files ask for a reload, migrations for a start, all else for a restart', () => {
  for (const [path, kind] of [
    ['views/home.template.html', 'reload'],
    ['views/mails/hello.text.template.html', 'reload'],
    ['public/app.js', 'reload'],
    ['public/migrations/x.png', 'reload'],
    ['migrations/20260101000000_create_posts_table.ts', 'start'],
    ['routes/home.ts', 'restart'],
    ['routes/views/x.html', 'restart'],
    ['views/format.ts', 'restart'],
    ['.env', 'restart'],
  ] as const) {
    assert.equal(changeKind(path), kind, path)
  }
})
