import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { plantProject } from '../../tests/support/plant-project.ts'
import { RecordFile, recordPath } from '../devtools/inspector/record-file.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { activityOf, recordCommand } from './command-activity.ts'
import { statusOf } from './main.ts'

function programOf(work: () => void): Command {
  const program = new Command('framework').exitOverride()
  const queue = program.command('queue')
  queue.command('run').argument('<name>').action(work)
  program.command('serve').action(work)
  return program
}

/** Does what `main` does. */
async function run(program: Command, argv: readonly string[], status: number): Promise<void> {
  const activity = activityOf(program, argv)
  const parse = (): Promise<unknown> => program.parseAsync([...argv], { from: 'user' })
  try {
    await (activity === null ? parse() : CurrentWork.runActivity(activity, parse))
    await activity?.ended?.(status, null)
  } catch (thrown) {
    await activity?.ended?.(statusOf(thrown), thrown)
    throw thrown
  }
}

test('a command is recorded with its words and status', async (t) => {
  const root = plantProject(t, {})
  const program = programOf(() => recordCommand(root, 4))
  await run(program, ['queue', 'run', 'mail'], 1)
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
    recordCommand(root, 4)
    throw new Error('no such queue')
  })
  await assert.rejects(run(program, ['queue', 'run', 'mail'], 0), /no such queue/)
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  assert.equal(file.read(1)?.incidents[0]?.chain[0]?.message, 'no such queue')
  assert.equal(file.read(1)?.status, '255')
})

test('a server is no command', async (t) => {
  const root = plantProject(t, {})
  await run(
    programOf(() => recordCommand(root, 4)),
    ['serve'],
    0,
  )
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  assert.equal(file.list({}).length, 0)
})
