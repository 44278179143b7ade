import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createProgram } from '../../src/console/program.ts'
import { recordingTerminal } from '../support/recording-terminal.ts'
import { commandMentions, leafCommands, objectionTo } from './command-mentions.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const program = createProgram(recordingTerminal(), () => {})

test('every framework command in the documentation exists', () => {
  const pages = ['*.md', 'docs/**/*.md', 'demo/README.md']
  const mentions = commandMentions(repository, pages)
  assert.ok(mentions.length > 60)
  assert.deepEqual(
    mentions.map((mention) => objectionTo(mention, program)).filter((finding) => finding !== null),
    [],
  )
})

test('the console guide lists every command and every option', () => {
  const guide = readFileSync(join(repository, 'docs/guides/console.md'), 'utf8')
  const sections = new Map(
    guide.split(/^## /m).map((section) => [section.split('\n', 1).join(''), section]),
  )
  for (const [words, command] of leafCommands(program)) {
    const [section = ''] = words.split(' ')
    const text = sections.get(section) ?? assert.fail(`console.md has no section ${section}`)
    assert.ok(text.includes(`\`framework ${words}`) || text.includes(`\`${words}`), words)
    const options = command.options.map(({ long }) => long ?? '')
    const silent = options.filter((option) => !text.includes(`\`${option}`))
    assert.deepEqual(silent, [], words)
  }
})

test('unknown commands, options and actions are found', () => {
  const found = (words: string): string | null =>
    objectionTo({ page: 'a.md', words: words.split(' ') }, program)
  assert.equal(found('serve --port 80 --verbose'), null)
  assert.equal(found('queue run <name>'), null)
  assert.equal(found('migrate --steps 2'), null)
  assert.equal(found('help <command>'), null)
  assert.equal(found('queue'), null)
  assert.equal(found('fly'), 'a.md: there is no command fly')
  assert.equal(found('queue lists'), 'a.md: there is no command lists')
  assert.equal(found('serve --ports 80'), 'a.md: serve takes no --ports')
  assert.equal(found('migrate sideways'), 'a.md: migrate takes no sideways')
})
