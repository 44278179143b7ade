import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

const files = {
  'project.ts': `import { appendFileSync } from 'node:fs'
    import { join } from 'node:path'
    import { defineProject } from 'framework'
    import type { Boot } from 'framework'
    import { command, parameter } from 'framework/console'
    const services = ({ root }: Boot) => ({
      shop: { note: (text: string) => appendFileSync(join(root, 'notes'), text + '\\n') },
      closing: { close: () => appendFileSync(join(root, 'notes'), 'closed\\n') },
    })
    type Services = ReturnType<typeof services>
    const count = command('stock:count', {
      description: 'count the stock of a shelf',
      args: { shelf: parameter.integer('number of the shelf'), files: parameter.list('lists to add') },
      options: {
        format: parameter.choice(['csv', 'json'], 'format of the output', { default: 'csv' }),
        dryRun: parameter.flag('change nothing'),
      },
    }).run<Services>(async ({ services, args, options, print, log }) => {
      services.shop.note(JSON.stringify({ args, options }))
      log.info('counting')
      print('counted ' + args.shelf)
    })
    const odd = command('odd', { description: 'end with 3' }).run<Services>(() => 3)
    const broken = command('broken', { description: 'fail' }).run<Services>(() => {
      throw new TypeError('the shelf is broken')
    })
    const wait = command('wait', { description: 'wait for the end' }).run<Services>(
      async ({ signal, print }) => {
        print('waiting')
        const timer = setInterval(() => {}, 1000)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        clearInterval(timer)
        print('ended')
        return 7
      },
    )
    export default defineProject({ name: 'shop', services, routes: [], commands: [count, odd, broken, wait] })`,
  'script.ts': `import { bootProject } from 'framework/console'
    const project = await bootProject<{ shop: { note(text: string): void } }>(import.meta.dirname)
    try {
      project.services.shop.note('script of ' + project.name + ' in ' + project.environment)
    } finally {
      await project.close()
    }`,
}

const env = { FRAMEWORK_ENVIRONMENT: 'production' }

function run(
  t: TestContext,
  cwd: string,
  ...line: readonly string[]
): ReturnType<typeof runCommand> {
  return runCommand(t, line, { cwd, env })
}

const notes = (cwd: string): string => {
  const file = join(cwd, 'notes')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

test('a command gets services and typed values, prints, and its services are closed', async (t) => {
  const cwd = plantProject(t, files)
  const line = ['run', 'stock:count', '7', '--dry-run', 'a.txt', '--format', 'json', 'b.txt']
  const { status, stdout, stderr } = await run(t, cwd, ...line)
  assert.deepEqual([status, stdout], [0, 'counted 7\n'])
  assert.equal(
    notes(cwd),
    '{"args":{"shelf":7,"files":["a.txt","b.txt"]},"options":{"format":"json","dryRun":true}}\nclosed\n',
  )
  // Log lines belong to the command, and do not mix with its output.
  const logged = JSON.parse(stderr)
  assert.deepEqual([logged.channel, logged.message], ['command', 'counting'])
})

test('framework run lists the commands, and the help of each its arguments', async (t) => {
  const cwd = plantProject(t, files)
  const [list, help, own] = await Promise.all([
    run(t, cwd, 'run'),
    run(t, cwd, 'run', 'stock:count', '--help'),
    run(t, cwd, 'run', '--help'),
  ])
  assert.equal(list.status, 0)
  assert.match(list.stdout, /^stock:count +count the stock of a shelf$/m)
  assert.match(
    help.stdout,
    /^Usage: framework run stock:count \[options\] <shelf> \[files\.\.\.\]$/m,
  )
  assert.match(help.stdout, /shelf +number of the shelf/)
  assert.match(help.stdout, /--format <csv\|json> +format of the output \(default: "csv"\)/)
  assert.match(help.stdout, /--dry-run +change nothing/)
  assert.match(own.stdout, /run a command of the project, or list them/)
  assert.deepEqual([help.status, own.status, notes(cwd)], [0, 0, ''])
})

test('a wrong line is a usage error that builds no services', async (t) => {
  const cwd = plantProject(t, files)
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['stock:cuont', '7'], /unknown command 'stock:cuont'\s+\(Did you mean stock:count\?\)/],
    [['stock:count'], /missing required argument 'shelf'/],
    [['stock:count', 'seven'], /'seven' is invalid.*It must be a whole number\./],
    [['stock:count', '7', '--format', 'xml'], /It must be one of csv, json\./],
    [['stock:count', '7', '--fast'], /unknown option '--fast'/],
    [['odd', 'extra'], /too many arguments/],
  ]
  await Promise.all(
    wrong.map(async ([line, text]) => {
      const { status, stderr } = await run(t, cwd, 'run', ...line)
      assert.equal(status, 2, stderr)
      assert.match(stderr, text)
      assert.match(stderr, /See framework run for the commands of this project\./)
    }),
  )
  assert.equal(notes(cwd), '')
})

test('the status is that of the command; an error that it throws is reported', async (t) => {
  const cwd = plantProject(t, files)
  const [odd, broken] = await Promise.all([run(t, cwd, 'run', 'odd'), run(t, cwd, 'run', 'broken')])
  assert.equal(odd.status, 3)
  assert.equal(broken.status, 255)
  assert.match(broken.stderr, /TypeError.*the shelf is broken/s)
  assert.equal(notes(cwd), 'closed\nclosed\n')
})

test('Ctrl-C aborts the signal of a command, which then ends by itself', async (t) => {
  const cwd = plantProject(t, files)
  const command = new RunningCommand(t, ['run', 'wait'], { cwd, env })
  await command.said(/waiting/)
  command.child.kill('SIGINT')
  assert.equal(await command.end(), 7)
  assert.match(command.stdout, /ended/)
  assert.match(command.stderr, /stopping; press Ctrl-C again to end it now/)
  assert.equal(notes(cwd), 'closed\n')
})

test('a script boots the project, uses its services and ends', async (t) => {
  const cwd = plantProject(t, files)
  const program = ['--conditions=source', join(cwd, 'script.ts')]
  const { status, stderr } = await runCommand(t, [], { cwd, env, program })
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(notes(cwd), 'script of shop in production\nclosed\n')
})
