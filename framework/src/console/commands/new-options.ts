import { InvalidArgumentError, Option } from 'commander'
import { databaseChoices } from '../new/database-choice.ts'
import { parts } from '../new/parts.ts'

/** `--database <kind>`: what the project keeps its rows in. */
export function databaseOption(): Option {
  const kinds = Object.keys(databaseChoices)
  return new Option('--database <kind>', `database of the project (${kinds[0]})`).choices(kinds)
}

/** `--without <parts>`: names between commas; given again it adds to the others. */
export function withoutOption(): Option {
  const list = Object.entries(parts).map(([name, { about }]) => `${name} (${about})`)
  return new Option('--without <parts>', `leave out, between commas: ${list.join(', ')}`).argParser(
    (text: string, before: readonly string[] | undefined) => {
      const names = text.split(',').map((name) => name.trim())
      const stranger = names.find((name) => !Object.hasOwn(parts, name))
      if (stranger === undefined) return [...new Set([...(before ?? []), ...names])]
      const known = Object.keys(parts).join(', ')
      throw new InvalidArgumentError(`"${stranger}" is no part; there are ${known}.`)
    },
  )
}

/** `--minimal`: nothing of the demo, so that there is nothing to choose or leave out. */
export function minimalOption(): Option {
  const meaning = 'one route, one view and one test in place of a copy of the demo'
  return new Option('--minimal', meaning).conflicts(['database', 'without'])
}
