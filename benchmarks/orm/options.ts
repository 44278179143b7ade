import { parseFlags } from '../method/parse-flags.ts'
import {
  type Contests,
  databases,
  type Databases,
  isContest,
  isDatabase,
  isSuite,
  suites,
  type Suites,
  titles,
} from './contests.ts'

/** Options of the ORM benchmark. */
export interface Options {
  readonly rounds: number
  /** Rows of the table. */
  readonly rows: number
  /** How long each library works before it is measured, in each contest. */
  readonly warmUpMs: number
  /** How long each library works in a round, in each contest. */
  readonly burstMs: number
  readonly databases: readonly Databases[]
  /** The suites to play, and of each the contests. */
  readonly suites: readonly Suites[]
  readonly contests: Readonly<Record<Suites, readonly Contests[]>>
  /** Whether a missed target makes the run fail. */
  readonly check: boolean
}

const optionsHelp = `Options of the ORM benchmark:
  --rounds <n>      measured rounds (default 25)
  --quick           3 rounds on 50,000 rows, to see that everything works
  --only <names>    these databases only, of ${Object.keys(databases).join(', ')}
  --suite <names>   these suites only, of ${Object.keys(suites).join(', ')}
  --contests <names>  these contests only, of ${Object.keys(titles).join(', ')}
  --check           end with status 1 when a target is missed
A report file is left alone unless all databases and contests had six rounds or more.`

/**
 * Reads the command line.
 * @throws Error that shows the usage when an option is unknown or has a wrong value.
 */
export function parseOptions(args: string[]): Options {
  const { rounds, quick, check, list } = parseFlags(args, {
    rounds: 25,
    lists: ['only', 'suite', 'contests'],
    help: optionsHelp,
  })
  const contests = named(list('contests'), Object.keys(titles).filter(isContest), isContest)
  return {
    rounds,
    rows: quick ? 50_000 : 1_000_000,
    warmUpMs: quick ? 300 : 1_000,
    burstMs: 100,
    databases: named(list('only'), Object.keys(databases).filter(isDatabase), isDatabase),
    suites: named(list('suite'), Object.keys(suites).filter(isSuite), isSuite),
    contests: {
      pages: suites.pages.filter((contest) => contests.includes(contest)),
      blog: suites.blog.filter((contest) => contests.includes(contest)),
    },
    check,
  }
}

/** The names that were given, or all of them. */
function named<Name extends string>(
  names: readonly string[],
  all: readonly Name[],
  isKnown: (name: string) => name is Name,
): readonly Name[] {
  if (names.length === 0) return all
  return names.map((name) => {
    if (isKnown(name)) return name
    throw new Error(`${name} is unknown, expected some of ${all.join(', ')}\n\n${optionsHelp}`)
  })
}
