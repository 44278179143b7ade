import { parseArgs } from 'node:util'

/** What one run of the telemetry benchmark measures. */
export interface Options {
  readonly rounds: number
  /** Of load for each side of a round. */
  readonly windowMs: number
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the telemetry benchmark:
  --rounds <n>  measured rounds (default 300)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when the target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
      },
    })
    const rounds = Number(values.rounds ?? (values.quick ? 3 : 300))
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number')
    return { rounds, windowMs: 100, check: values.check }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${optionsHelp}`, { cause: error })
  }
}
