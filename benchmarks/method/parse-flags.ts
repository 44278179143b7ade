import { parseArgs } from 'node:util'

/** Options of every benchmark. */
export interface Flags<Lists extends string> {
  readonly rounds: number
  /** Whether it only checks that everything works. */
  readonly quick: boolean
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
  /** The names that a flag was given; none when it was left out. */
  readonly list: (name: Lists) => readonly string[]
}

/** How the flags of a benchmark are read. */
export interface FlagOptions<Lists extends string> {
  /** Default number of measured rounds; three with `--quick`. */
  readonly rounds: number
  /** Further flags, which take names with commas between them. */
  readonly lists?: readonly Lists[]
  /** Shown below what is wrong. */
  readonly help: string
}

/**
 * Reads the command line of a benchmark.
 * @throws Error that shows the help when a flag is unknown or has a wrong value.
 */
export function parseFlags<Lists extends string = never>(
  args: string[],
  { rounds, lists = [], help }: FlagOptions<Lists>,
): Flags<Lists> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        ...Object.fromEntries(lists.map((name) => [name, { type: 'string' } as const])),
      },
    })
    const { quick, check } = values
    const count = values.rounds === undefined ? (quick ? 3 : rounds) : Number(values.rounds)
    if (!Number.isInteger(count) || count < 1) {
      throw new Error(`--rounds takes a whole number above 0, came ${values.rounds}`)
    }
    return { rounds: count, quick, check, list: (name) => namesIn(values, name) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\n\n${help}`, { cause: error })
  }
}

function namesIn(values: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const given = values[name]
  return typeof given === 'string' ? given.split(',').map((one) => one.trim()) : []
}
