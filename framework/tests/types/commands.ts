// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { bootProject, command, parameter } from '../../src/public/console.ts'
import { defineProject, env, scope } from '../../src/public/framework.ts'
import { MemorySchedule, task } from '../../src/public/schedule.ts'

interface Shop {
  readonly shelves: number
}

// The values of arguments and options have the types of their parameters.
const stock = command('stock', {
  description: 'x',
  args: {
    shelf: parameter.integer('x'),
    format: parameter.choice(['csv', 'json'], 'x', { default: 'csv' }),
    files: parameter.list('x'),
  },
  options: {
    note: parameter.text('x', { optional: true }),
    limit: parameter.number('x', { default: 10 }),
    dryRun: parameter.flag('x'),
  },
}).run<Shop>(({ services, args, options }) => {
  const numbers: readonly number[] = [services.shelves, args.shelf, options.limit]
  const format: 'csv' | 'json' = args.format
  const files: readonly string[] = args.files
  const dryRun: boolean = options.dryRun
  // @ts-expect-error an optional one may be missing
  const note: string = options.note
  // @ts-expect-error there is no such argument
  void args.file
  // @ts-expect-error there is no such service
  void services.tables
  void [numbers, format, files, dryRun, note]
})

// @ts-expect-error the default is not one of the choices
parameter.choice(['csv', 'json'], 'x', { default: 'xml' })

// @ts-expect-error a command ends with a status or nothing
command('wrong', { description: 'x' }).run(() => 'done')

const digest = task('digest', { cron: '0 7 * * 1', timeZone: 'Europe/Berlin' }).run<Shop>(
  async ({ services, due, signal }) => {
    const known: readonly [number, Date, AbortSignal] = [services.shelves, due, signal]
    // @ts-expect-error there is no such service
    void services.tables
    void known
  },
)

// @ts-expect-error a task has one kind of times
task('wrong', { cron: '0 7 * * 1', every: 60 })

// @ts-expect-error and needs one
task('wrong', {})

// @ts-expect-error an interval has no time zone
task('wrong', { every: 60, timeZone: 'UTC' })

const shop = scope('shop', { shelves: env.integer('SHELVES', { default: 1, meaning: 'x' }) })
const project = defineProject({
  name: 'shop',
  configs: { shop },
  services: () => ({ shelves: 1, runs: new MemorySchedule() }),
  routes: [],
  commands: [stock],
  schedule: { tasks: [digest], store: ({ runs }) => runs },
})

// @ts-expect-error the services lack what the command asks for
defineProject({ name: 'shop', services: () => ({ tables: 1 }), routes: [], commands: [stock] })

defineProject({
  name: 'shop',
  services: () => ({ tables: 1 }),
  routes: [],
  // @ts-expect-error the services lack what the task asks for
  schedule: { tasks: [digest], store: () => new MemorySchedule() },
})

// @ts-expect-error the code of the command is missing
defineProject({ name: 'shop', routes: [], commands: [command('bare', { description: 'x' })] })

// A script names the services, or gets their types from the project.
const named = await bootProject<Shop>('.')
const shelves: number = named.services.shelves
const given = await bootProject('.', { project })
const configured: readonly number[] = [given.services.shelves, given.configs.shop.shelves]
// @ts-expect-error there is no such scope
void given.configs.mail
void [shelves, configured]
