import { parseFlags } from '../method/parse-flags.ts'

/** Options of the password benchmark. */
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
  const { rounds, check } = parseFlags(args, { rounds: 15, help: optionsHelp })
  return { rounds, warmUpRounds: 1, logins: 200, check }
}
