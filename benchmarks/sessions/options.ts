import { parseFlags } from '../method/parse-flags.ts'

/** Options of the sessions benchmark. */
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
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 15,
    lists: ['contests'],
    help: optionsHelp,
  })
  return {
    rounds,
    warmUpRequests: quick ? 5_000 : 30_000,
    burstSeconds: 1,
    connections: 50,
    contests: list('contests'),
    check,
  }
}
