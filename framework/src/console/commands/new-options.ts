import { InvalidArgumentError, Option } from 'commander'
import { databaseChoices } from '../new/database-choice.ts'
import { parts } from '../new/parts.ts'
import { starters } from '../new/starters.ts'

/** `--database <kind>`: the database of the project. */
export function databaseOption(): Option {
  const kinds = Object.keys(databaseChoices)
  return new Option('--database <kind>', `database of the project (${kinds[0]})`).choices(kinds)
}

/** `--without <parts>`: comma-separated names; may be given several times. */
export function withoutOption(): Option {
  const list = Object.entries(parts).map(([name, { about }]) => `${name} (${about})`)
  const meaning = `leave out parts, separated by commas: ${list.join(', ')}`
  return new Option('--without <parts>', meaning).argParser(
    (text: string, before: readonly string[] | undefined) => {
      const names = text.split(',').map((name) => name.trim())
      const unknown = names.find((name) => !Object.hasOwn(parts, name))
      if (unknown === undefined) return [...new Set([...(before ?? []), ...names])]
      const known = Object.keys(parts).join(', ')
      throw new InvalidArgumentError(`Unknown part "${unknown}"; choose from ${known}.`)
    },
  )
}

/** `--starter <name>`: what the project begins with. */
export function starterOption(): Option {
  const names = Object.keys(starters)
  const list = Object.entries(starters).map(([name, { about }]) => `${name} (${about})`)
  const meaning = `what to begin with: ${list.join(', ')}; by default ${names[0]}`
  return new Option('--starter <name>', meaning).choices(names)
}

/** `--minimal`: the same as `--starter minimal`, which has nothing to choose or leave out. */
export function minimalOption(): Option {
  const meaning = 'the same as --starter minimal'
  return new Option('--minimal', meaning).conflicts(['database', 'without', 'starter'])
}
