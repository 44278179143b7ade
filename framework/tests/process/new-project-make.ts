import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { runCommand } from '../support/command.ts'

/** One column of each kind. */
const columns = [
  'title:string',
  'slug:string:unique',
  'body:text',
  'seats:integer',
  'visitors:safeInteger',
  'atoms:bigint',
  'price:decimal',
  'weight:float',
  'done:boolean',
  'token:uuid',
  'due-on:date:nullable',
  'opens:time',
  'readAt:timestamp:nullable',
  'more:json',
  'photo:bytes:nullable',
  'state:enumeration:draft,live',
  'parent_id:references:notes:nullable',
]

/** Where the printed lines go, by what is printed above them. */
const anchors: Readonly<Record<string, string>> = {
  'project.ts': 'defineProject({',
  'project.ts, in `routes`': 'routes: [',
  'routes/manifest.ts': 'manifest = [',
  'services.ts, beside `...stores`': '\n    ...stores,',
  'messages/en.ts, or the file of your default language': 'en = {',
}

/**
 * Runs every `make:` command in a new project, adds the lines that they print, and asserts that all tests pass and
 * that the tables are those of the entities.
 */
export async function makeEverything(
  t: TestContext,
  app: string,
  program: readonly string[],
): Promise<void> {
  const run = async (words: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand(t, words, { cwd: app, program })
    assert.equal(status, 0, stderr + stdout)
    return stdout
  }
  for (const words of [
    ['make:routes', 'NoteItems'],
    ['make:entity', 'Note', ...columns],
    ['make:command', 'notes:prune'],
    ['make:job', 'resize-picture'],
    ['make:mail', 'welcome'],
  ]) {
    const [files = '', left = ''] = (await run(words)).split('\n\nLeft to add by hand:\n\n')
    for (const path of files.split('\n')) assert.ok(existsSync(join(app, path)), path)
    if (!left.startsWith('in a project that has stores')) addLines(app, left)
  }
  await run(['migrate'])
  assert.match(await run(['migrate', 'check']), / 1 entity, no difference\n$/)
  const flags = ['--test', '--test-isolation=none']
  const tests = await runCommand(t, [], { cwd: app, program: flags })
  assert.equal(tests.status, 0, tests.stdout)
  assert.match(tests.stdout, / pass [5-9]\n/)
}

/** Adds the indented lines below each name of a file: imports at its top, others where they belong. */
function addLines(app: string, left: string): void {
  for (const [, place = '', lines = ''] of left.matchAll(/^(\S.*)\n((?: {2}.*\n)+)/gm)) {
    const [, name = ''] = /^([\w/]+\.ts)/.exec(place) ?? []
    if (name === '') continue
    const anchor = anchors[place] ?? assert.fail(place)
    const file = join(app, name)
    const text = readFileSync(file, 'utf8')
    assert.equal(text.split(anchor).length, 2, `${anchor} in ${name}`)
    const added = lines.split('\n').map((line) => line.trim())
    const imports = added.filter((line) => line.startsWith('import '))
    const others = added.filter((line) => !line.startsWith('import '))
    const changed = text.replace(anchor, () => [anchor, ...others].join('\n'))
    writeFileSync(file, [...imports, changed].join('\n'))
  }
}
