import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { recordingTerminal } from '../../../tests/support/recording-terminal.ts'
import { makeCommand } from './make-command.ts'
import type { MakeFlags } from './make-command.ts'

function setUp(t: TestContext, files: Readonly<Record<string, string>> = { 'project.ts': '' }) {
  const project = plantProject(t, files)
  const terminal = recordingTerminal()
  return {
    terminal,
    make: (line: string, flags: Omit<MakeFlags, 'project'> = {}) => {
      const [kind = '', ...words] = line.split(' ')
      return makeCommand(kind, words, { project, ...flags }, terminal)
    },
    files: () => globSync('*/**/*.{ts,html}', { cwd: project }).toSorted(),
    read: (path: string) => {
      const [found = path] = globSync(path, { cwd: project })
      return readFileSync(join(project, found), 'utf8')
    },
  }
}

for (const given of ['NoteItems', 'noteItems', 'note-items', 'note_items', 'NOTE_ITEMS']) {
  test(`routes ${given} are NoteItems at /note-items`, async (t) => {
    const { make, files, read, terminal } = setUp(t)
    assert.equal(await make(`routes ${given}`), 0)
    const paths = ['note-items.ts', 'note-items.test.ts', 'note-items.template.html']
    const [routes = '', ...others] = ['routes', 'tests', 'views'].map(
      (folder, at) => `${folder}/${paths[at]}`,
    )
    assert.deepEqual(files(), [routes, ...others])
    assert.match(read(routes), /export const NoteItems = routeSet\('NoteItems'[^]*'\/note-items'/)
    for (const path of files()) assert.match(terminal.output(), new RegExp(`^${path}$`, 'm'))
    assert.match(terminal.output(), /\n {2}import \{ NoteItems \} from .*\n {2}NoteItems,\n$/)
  })
}

test('the entity of one row has a table of many', async (t) => {
  for (const [given, pascal, table] of [
    ['Note', 'Notes', 'notes'],
    ['notes', 'Notes', 'notes'],
    ['orderEntry', 'OrderEntries', 'order_entries'],
    ['mail_address', 'MailAddresses', 'mail_addresses'],
    ['Day', 'Days', 'days'],
  ]) {
    const { make, read } = setUp(t)
    assert.equal(await make(`entity ${given}`), 0)
    assert.match(read('entities/*.ts'), new RegExp(`const ${pascal} = entity\\('${table}'`))
    assert.match(read(`migrations/*_create_${table}_table.ts`), /createTable\('.*dropTable\('/s)
  }
  const { make, read } = setUp(t)
  assert.equal(await make('entity person', { table: 'people' }), 0)
  assert.match(read('entities/people.ts'), /const People = entity\('people'/)
})

test('columns are the same in the entity and in its migration', async (t) => {
  const { make, read } = setUp(t)
  const columns = 'title:string slug:text:unique dueOn:date:nullable state:enumeration:draft,live'
  assert.equal(await make(`entity Note ${columns} author-id:references:users:nullable`), 0)
  assert.match(
    read('entities/notes.ts'),
    /title: text\(\),\n {2}slug: text\(\),\n {2}dueOn: date\(\)\.nullable\(\),\n {2}state: enumeration\(\['draft', 'live'\]\),\n {2}authorId: safeInteger\(\)\.nullable\(\),\n/,
  )
  const lines = read('migrations/*.ts').match(/(?<= {4}table\.).*/g)
  assert.deepEqual(lines, [
    `key('id')`,
    `text('title', { length: 255 })`,
    `text('slug').unique()`,
    `date('due_on').nullable()`,
    `enumeration('state', ['draft', 'live'])`,
    `references('author_id', 'users').nullable()`,
    `timestamp('created_at').defaultNow()`,
  ])
})

test('a command of a group is in a file that says what it does', async (t) => {
  const { make, files, read } = setUp(t)
  assert.equal(await make('command oldNotes:pruneAll'), 0)
  const path = 'commands/prune-all-old-notes.ts'
  assert.deepEqual(files(), [path, 'tests/prune-all-old-notes-command.test.ts'])
  assert.match(read(path), /pruneAllOldNotesCommand = command\('old-notes:prune-all'/)
})

test('what is no name or no column is refused with what it takes, and nothing is written', async (t) => {
  const { make, files, terminal } = setUp(t)
  const names = ['../note', 'no:te', '1st', 'é', '-', `n${'o'.repeat(50)}`, "n'", '', 'a/b']
  for (const name of names) assert.equal(await make(`routes ${name}`), 2, name)
  for (const name of ['a:', ':b', 'a::b', 'a:b/c']) assert.equal(await make(`command ${name}`), 2)
  assert.match(terminal.errors(), /^error "\.\.\/note" is no name: take at most 50 letters /)
  for (const column of [
    'title',
    'title:words',
    ':text',
    'id:integer',
    'created_at:timestamp',
    'state:enumeration',
    'a:references:b;drop',
    'a:references:users,notes',
    'a:enumeration:b,',
    'a:text:b',
    'a:bigint:unique:nullable',
    'a:text:nullable:nullable',
    'a-b:text aB:text',
  ]) {
    assert.equal(await make(`entity Note ${column}`), 2, column)
  }
  assert.match(
    terminal.errors(),
    /\nerror "title:words" is no column, or the second of its name: write title:string, [^\n]+ bytes\n/,
  )
  assert.deepEqual(files(), [])
  assert.equal(terminal.output(), '')
})

test('if one of its files exists nothing is written, and the error names it', async (t) => {
  const { make, files, read } = setUp(t, { 'project.ts': '', 'tests/notes.test.ts': 'mine' })
  await assert.rejects(make('routes notes'), {
    code: 'E_MAKE',
    message: /^tests\/notes\.test\.ts exists, so nothing was written; /,
  })
  await assert.rejects(make('routes notes', { dryRun: true }), { code: 'E_MAKE' })
  assert.deepEqual(files(), ['tests/notes.test.ts'])
  assert.equal(read('tests/notes.test.ts'), 'mine')
})

test('a second migration of the same table is refused, and the entity is not written', async (t) => {
  const migration = 'migrations/20260101000000_create_notes_table.ts'
  const { make, files } = setUp(t, { 'project.ts': '', [migration]: '' })
  await assert.rejects(make('entity Note'), { code: 'E_MIGRATION' })
  assert.deepEqual(files(), [migration])
})

test('a dry run lists the files, and writes none', async (t) => {
  const { make, files, terminal } = setUp(t)
  assert.equal(await make('mail welcome', { dryRun: true }), 0)
  assert.match(
    terminal.output(),
    /^mails\/welcome\.ts\ntests\/welcome-mail\.test\.ts\nviews\/mails\/welcome\.template\.html\n/,
  )
  assert.deepEqual(files(), [])
})

test('elsewhere than in a project it says so', async (t) => {
  const { make } = setUp(t, {})
  await assert.rejects(make('job resize'), { code: 'E_MAKE', message: /^there is no project in / })
})

test('a word of the language may be a name', async (t) => {
  const { make, read, terminal } = setUp(t)
  assert.equal(await make('job class'), 0)
  assert.equal(await make('command delete'), 0)
  assert.match(read('jobs/class.ts'), /function classJob\(/)
  assert.match(read('commands/delete.ts'), /const deleteCommand = /)
  assert.match(
    terminal.output(),
    /queues: \(\{ classJobs \}\) => \[queueWorker\(classJobs, classJob\)\]/,
  )
})

test('the guide shows what is written', async (t) => {
  const project = ['project.ts', 'services.ts', 'languages.ts', 'routes/manifest.ts']
  const { make, read, terminal } = setUp(t, Object.fromEntries(project.map((path) => [path, ''])))
  const guide = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guides', 'generators.md')
  const text = readFileSync(guide, 'utf8')
  assert.equal(await make('routes notes'), 0)
  assert.ok(text.includes(`\`\`\`text\n${terminal.output()}\`\`\`\n`))
  for (const kind of ['entity Post', 'command']) {
    const [, words = ''] = new RegExp(`make:(${kind} .*)`).exec(text) ?? []
    assert.equal(await make(words), 0)
  }
  for (const path of ['entities/posts.ts', 'commands/prune-notes.ts']) {
    assert.ok(text.includes(`\`\`\`ts\n// ${path}\n${read(path)}\`\`\`\n`), path)
  }
})
