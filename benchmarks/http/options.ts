import { parseArgs } from 'node:util'

/** What one run of the HTTP benchmark measures. */
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

export const optionsHelp: string = `Options of the http benchmark:
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
  const { quick, only, contests, check, rounds } = parse(args)
  const count = rounds === undefined ? (quick ? 3 : 15) : Number(rounds)
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`--rounds takes a whole number above 0, came ${rounds}\n\n${optionsHelp}`)
  }
  return {
    rounds: count,
    warmUpRounds: quick ? 1 : 2,
    spawns: quick ? 3 : 11,
    burstSeconds: 1,
    connections: 50,
    servers: listOf(only),
    contests: listOf(contests),
    check,
  }
}

interface Flags {
  readonly quick: boolean
  readonly check: boolean
  readonly rounds?: string | undefined
  readonly only?: string | undefined
  readonly contests?: string | undefined
}

function parse(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        contests: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${optionsHelp}`, { cause: error })
  }
}

function listOf(names: string | undefined): readonly string[] {
  return names === undefined ? [] : names.split(',').map((name) => name.trim())
}
