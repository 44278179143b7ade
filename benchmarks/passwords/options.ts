import { parseArgs } from 'node:util'

/** What one run of the password benchmark measures. */
export interface Options {
  readonly rounds: number
  readonly warmUpRounds: number
  /** Logins that come at once. */
  readonly logins: number
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the passwords benchmark:
  --rounds <n>  measured rounds (default 15)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when a target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { quick, check, rounds } = parse(args)
  const count = rounds === undefined ? (quick ? 3 : 15) : Number(rounds)
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`--rounds takes a whole number above 0, came ${rounds}\n\n${optionsHelp}`)
  }
  return { rounds: count, warmUpRounds: 1, logins: 200, check }
}

interface Flags {
  readonly quick: boolean
  readonly check: boolean
  readonly rounds?: string | undefined
}

function parse(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${optionsHelp}`, { cause: error })
  }
}
