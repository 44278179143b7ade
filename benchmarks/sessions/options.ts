import { parseArgs } from 'node:util'

/** What one run of the sessions benchmark measures. */
export interface Options {
  readonly rounds: number
  /** Requests that a new process answers, at least, before it is measured. */
  readonly warmUpRequests: number
  readonly burstSeconds: number
  readonly connections: number
  /** Names of the contests to keep; an empty list keeps all. */
  readonly contests: readonly string[]
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the sessions benchmark:
  --rounds <n>        measured rounds (default 15)
  --quick             3 rounds, to see that everything works; too few to conclude from
  --contests <names>  these contests only, e.g. read; the report file is left alone
  --check             end with status 1 when a target is missed
The report file is left alone too when there were fewer than six rounds.`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { quick, contests, check, rounds } = parse(args)
  const count = rounds === undefined ? (quick ? 3 : 15) : Number(rounds)
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`--rounds takes a whole number above 0, came ${rounds}\n\n${optionsHelp}`)
  }
  return {
    rounds: count,
    warmUpRequests: quick ? 5_000 : 30_000,
    burstSeconds: 1,
    connections: 50,
    contests: contests === undefined ? [] : contests.split(',').map((name) => name.trim()),
    check,
  }
}

interface Flags {
  readonly quick: boolean
  readonly check: boolean
  readonly rounds?: string | undefined
  readonly contests?: string | undefined
}

function parse(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        contests: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${optionsHelp}`, { cause: error })
  }
}
