import { parseFlags } from '../method/parse-flags.ts'

/** Options of the HTTP benchmark. */
export interface Options {
  readonly rounds: number
  readonly warmUpRounds: number
  readonly spawns: number
  readonly burstSeconds: number
  readonly connections: number
  /** Server and contest names to keep; an empty list keeps all. */
  readonly servers: readonly string[]
  readonly contests: readonly string[]
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the http benchmark:
  --rounds <n>        measured rounds (default 15)
  --quick             3 rounds, to see that everything works; too few to conclude from
  --only <names>      these servers only, e.g. raw,fastify; the report file is left alone
  --contests <names>  these contests only, e.g. json,costs; the report file is left alone
  --check             end with status 1 when a target is missed`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 15,
    lists: ['only', 'contests'],
    help: optionsHelp,
  })
  return {
    rounds,
    warmUpRounds: quick ? 1 : 2,
    spawns: quick ? 3 : 11,
    burstSeconds: 1,
    connections: 50,
    servers: list('only'),
    contests: list('contests'),
    check,
  }
}
