import { parseFlags } from '../method/parse-flags.ts'

/** Options of the error benchmark. */
export interface Options {
  readonly rounds: number
  readonly warmUpRounds: number
  /** Processes whose first page is measured, for each renderer. */
  readonly spawns: number
  /** Pages in one burst. */
  readonly pages: number
  /** Requests in one burst. */
  readonly requests: number
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the errors benchmark:
  --rounds <n>  measured rounds (default 15)
  --quick       3 rounds, to see that everything works; the report file is left alone
  --check       end with status 1 when a target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check } = parseFlags(args, { rounds: 15, help: optionsHelp })
  return {
    rounds,
    warmUpRounds: quick ? 1 : 3,
    spawns: quick ? 3 : 11,
    pages: 100,
    requests: 2_000,
    check,
  }
}
