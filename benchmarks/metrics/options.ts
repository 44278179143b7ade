import { parseFlags } from '../method/parse-flags.ts'

/** Options of the metrics benchmark. */
export interface Options {
  readonly rounds: number
  /** How long each library works in a round. */
  readonly burstMs: number
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the metrics benchmark:
  --rounds <n>  measured rounds (default 25)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when a target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, check } = parseFlags(args, { rounds: 25, help: optionsHelp })
  return { rounds, burstMs: 100, check }
}
