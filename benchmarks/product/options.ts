import { parseFlags } from '../method/parse-flags.ts'
import { chooseEntrants, type Entrant } from './entrants.ts'
import { chooseTasks, type Task } from './tasks.ts'

/** Options of the product benchmark. */
export interface Options {
  readonly rounds: number
  /** Whether it only checks that everything works. */
  readonly quick: boolean
  readonly tasks: readonly Task[]
  readonly entrants: readonly Entrant[]
  /** Whether all tasks and servers take part. */
  readonly isWhole: boolean
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
  /** A server to start by hand instead of measuring. */
  readonly serve: Entrant | null
  /** Where it listens. */
  readonly port: number
  /** Flags of its Node.js. */
  readonly nodeFlags: readonly string[]
}

const optionsHelp = `Options of the product benchmark:
  --rounds <n>        measured rounds (default 15)
  --quick             3 rounds, to see that everything works; too few to conclude from
  --tasks <names>     these tasks only, e.g. list,api; the report file is left alone
  --only <names>      these servers only, e.g. ours,fastify; the report file is left alone
  --check             end with status 1 when a target is missed
  --serve <name>      start one server and print the requests of the tasks, until Ctrl-C
  --port <n>          where it listens (default 3000)
  --node <flags>      flags of its Node.js, e.g. --node=--cpu-prof,--cpu-prof-dir=/tmp/profiles
With --serve, the first of --tasks decides on database, sessions and TLS.
The report file is left alone too when there were fewer than six rounds.`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 15,
    lists: ['tasks', 'only', 'serve', 'port', 'node'],
    help: optionsHelp,
  })
  const [serve = null] = list('serve').length === 0 ? [] : chooseEntrants(list('serve'))
  return {
    rounds,
    quick,
    check,
    tasks: chooseTasks(list('tasks')),
    entrants: chooseEntrants(list('only')),
    isWhole: list('tasks').length === 0 && list('only').length === 0,
    serve,
    port: Number(list('port')[0] ?? 3000),
    nodeFlags: list('node'),
  }
}
