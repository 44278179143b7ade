import { parseFlags } from '../method/parse-flags.ts'

/** Options of the observability benchmark. */
export interface Options {
  readonly rounds: number
  /** In so many of them the peers take part. */
  readonly peerRounds: number
  /** How many requests, and for how long, a process answers at least before it is measured. */
  readonly warmUpRequests: number
  readonly warmUpSeconds: number
  readonly burstSeconds: number
  readonly connections: number
  /** Names of the contests to keep; an empty list keeps all. */
  readonly contests: readonly string[]
  /** Parts of the labels of the servers to keep; an empty list keeps all. */
  readonly only: readonly string[]
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the observability benchmark:
  --rounds <n>        measured rounds (default 14); the peers take part in six of them
  --quick             one round, to see that everything works; two minutes, and nothing to conclude from
  --contests <names>  these contests only: page, bare; the report file is left alone
  --only <parts>      the servers whose labels have these parts only; the report file is left alone
  --check             end with status 1 when a target is missed
The report file is left alone too when there were fewer than six rounds.`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 14,
    lists: ['contests', 'only'],
    help: optionsHelp,
  })
  return {
    rounds: quick ? 1 : rounds,
    peerRounds: Math.min(quick ? 1 : rounds, 6),
    warmUpRequests: quick ? 1 : 60_000,
    warmUpSeconds: quick ? 1 : 10,
    burstSeconds: quick ? 1 : 12,
    connections: 50,
    contests: list('contests'),
    only: list('only'),
    check,
  }
}
