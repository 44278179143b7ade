import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { plantProject } from '../../tests/support/plant-project.ts'
import { RecordFile, recordPath } from '../services/inspector/record-file.ts'
import { recordCommand } from './record-command.ts'
import { runProgram } from './run-program.ts'

function programOf(work: () => void): Command {
  const program = new Command('framework').exitOverride()
  const queue = program.command('queue')
  queue.command('run').argument('<name>').action(work)
  program.command('serve').action(work)
  return program
}

test('a command is recorded with its words and status', async (t) => {
  const root = plantProject(t, {})
  const program = programOf(() => recordCommand(root))
  await runProgram(program, ['queue', 'run', 'mail'], () => 1)
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  const [record] = file.list({})
  assert.equal(record?.kind, 'command')
  assert.equal(record.title, 'queue run')
  assert.equal(record.subject, 'queue run mail')
  assert.equal(record.status, '1')
  assert.equal(record.failed, true)
})

test('the error that ends a command is part of its record, and passed on', async (t) => {
  const root = plantProject(t, {})
  const program = programOf(() => {
    recordCommand(root)
    throw new Error('no such queue')
  })
  await assert.rejects(
    runProgram(program, ['queue', 'run', 'mail'], () => 0),
    /no such queue/,
  )
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  assert.equal(file.read(1)?.incidents[0]?.chain[0]?.message, 'no such queue')
  assert.equal(file.read(1)?.failed, true)
})

test('a server is no command', async (t) => {
  const root = plantProject(t, {})
  await runProgram(
    programOf(() => recordCommand(root)),
    ['serve'],
    () => 0,
  )
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  assert.equal(file.list({}).length, 0)
})
