import { parseArgs } from 'node:util'
import { databases, type Databases, isDatabase } from './contests.ts'

/** What one run of the ORM benchmark measures. */
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
  const { quick, check, rounds, only } = parse(args)
  const count = rounds === undefined ? (quick ? 3 : 25) : Number(rounds)
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`--rounds takes a whole number above 0, came ${rounds}\n\n${optionsHelp}`)
  }
  return {
    rounds: count,
    rows: quick ? 50_000 : 1_000_000,
    warmUpMs: quick ? 300 : 1_000,
    burstMs: 100,
    databases: chosen(only),
    check,
  }
}

function chosen(only: string | undefined): readonly Databases[] {
  if (only === undefined) return Object.keys(databases).filter(isDatabase)
  return only.split(',').map((name) => {
    if (isDatabase(name)) return name
    throw new Error(`--only takes names of databases, came ${name}\n\n${optionsHelp}`)
  })
}

interface Flags {
  readonly quick: boolean
  readonly check: boolean
  readonly rounds?: string | undefined
  readonly only?: string | undefined
}

function parse(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${optionsHelp}`, { cause: error })
  }
}
