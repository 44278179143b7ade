import { parseFlags } from '../method/parse-flags.ts'
import { databases, type Databases, isDatabase } from './contests.ts'

/** Options of the ORM benchmark. */
export interface Options {
  readonly rounds: number
  /** Rows of the table. */
  readonly rows: number
  /** How long each library works before it is measured, in each contest. */
  readonly warmUpMs: number
  /** How long each library works in a round, in each contest. */
  readonly burstMs: number
  readonly databases: readonly Databases[]
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the ORM benchmark:
  --rounds <n>      measured rounds (default 25)
  --quick           3 rounds on 50,000 rows, to see that everything works
  --only <names>    these databases only, of ${Object.keys(databases).join(', ')}
  --check           end with status 1 when a target is missed
The report file is left alone unless all databases had six rounds or more.`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 25,
    lists: ['only'],
    help: optionsHelp,
  })
  return {
    rounds,
    rows: quick ? 50_000 : 1_000_000,
    warmUpMs: quick ? 300 : 1_000,
    burstMs: 100,
    databases: chosen(list('only')),
    check,
  }
}

function chosen(names: readonly string[]): readonly Databases[] {
  if (names.length === 0) return Object.keys(databases).filter(isDatabase)
  return names.map((name) => {
    if (isDatabase(name)) return name
    throw new Error(`--only takes names of databases, came ${name}\n\n${optionsHelp}`)
  })
}
