import { InvalidArgumentError, Option } from 'commander'
import type { ChainAddress } from '../http/router/router-commands.ts'
import { Environments } from '../settings/environments.ts'
import { databaseChoices, starters } from './new/choices.ts'

/** `--project <folder>`: the project of a command. */
export function projectOption(): Option {
  return new Option('--project <folder>', 'folder of the project').default('.', 'this one')
}

/** `--environment <name>`: an unknown name is an error, unlike in `FRAMEWORK_ENVIRONMENT`. */
export function environmentOption(): Option {
  const names = Object.values(Environments).filter((name) => typeof name === 'string')
  return new Option('--environment <name>', 'environment (FRAMEWORK_ENVIRONMENT)').choices(names)
}

/** `--chain <path>`: a path or pattern, perhaps with a method. */
export function chainOption(): Option {
  const description = 'print what runs for a path, in order: /login, or "POST /login"'
  return new Option('--chain <path>', description).argParser((text): ChainAddress => {
    const [, method, path] = /^(?:([A-Za-z]+) +)?(\/\S*)$/.exec(text) ?? []
    if (path !== undefined) return { method: method?.toUpperCase() ?? null, path }
    throw new InvalidArgumentError('It must be a path such as /login, or POST /login.')
  })
}

/** `--workers <number>`: the number of processes, or `auto` for one per processor. */
export function workersOption(): Option {
  return new Option('--workers <number>', 'processes, or auto (WORKERS)').argParser((text) => {
    if (text === 'auto') return text
    const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (count >= 1 && count <= 1024) return count
    throw new InvalidArgumentError('It must be a number from 1 to 1024, or auto.')
  })
}

/** `--database <kind>`: the database of the project. */
export function databaseOption(): Option {
  const kinds = Object.keys(databaseChoices)
  return new Option('--database <kind>', `database of the project (${kinds[0]})`).choices(kinds)
}

/** `--starter <name>`: what the project begins with. */
export function starterOption(): Option {
  const names = Object.keys(starters)
  const list = Object.entries(starters).map(([name, { about }]) => `${name} (${about})`)
  const meaning = `what to begin with: ${list.join(', ')}; by default ${names[0]}`
  return new Option('--starter <name>', meaning).choices(names)
}

/** `--port <number>`, or `--interval <seconds>`, which may be a fraction. */
export function numberOption(flags: string, description: string, min: number, max: number): Option {
  const form = flags.endsWith('<seconds>') ? /^\d+(\.\d+)?$/ : /^\d{1,6}$/
  return new Option(flags, description).argParser((text) => {
    const number = form.test(text) ? Number(text) : -1
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  })
}
