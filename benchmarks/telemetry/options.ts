import { parseFlags } from '../method/parse-flags.ts'

/** Options of the telemetry benchmark. */
export interface Options {
  readonly rounds: number
  /** Of load for each side of a round. */
  readonly windowMs: number
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the telemetry benchmark:
  --rounds <n>  measured rounds (default 1000)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when the target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, check } = parseFlags(args, { rounds: 1000, help: optionsHelp })
  return { rounds, windowMs: 100, check }
}
