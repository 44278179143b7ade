import { InvalidArgumentError, Option } from 'commander'
import type { ChainAddress } from '../http/router/route-chains.ts'
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

/** `--port <number>`. */
export function portOption(): Option {
  return numberOption('--port <number>', 'port to listen on (PORT)', whole, 0, 65_535)
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

/** `--steps <number>`: the maximum number of migrations. */
export function stepsOption(): Option {
  return new Option('--steps <number>', 'maximum number of migrations').argParser((text) => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (count >= 1) return count
    throw new InvalidArgumentError('It must be a whole number, at least 1.')
  })
}

/** `--concurrency <number>`: how many jobs run at the same time. */
export function concurrencyOption(): Option {
  return numberOption('--concurrency <number>', 'jobs to run at the same time (1)', whole, 1, 1024)
}

/** `--interval <seconds>`: repeats the command. */
export function intervalOption(): Option {
  return numberOption('--interval <seconds>', 'repeat at this interval', decimal, 0.1, day)
}

/** `--retry-for <seconds>`: how long a failure is retried. */
export function retryForOption(): Option {
  const description = 'how long to retry (60), 0 for not at all'
  return numberOption('--retry-for <seconds>', description, decimal, 0, day)
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

const whole = /^\d{1,5}$/
const decimal = /^\d+(\.\d+)?$/
const day = 86_400

function numberOption(
  flags: string,
  description: string,
  form: RegExp,
  min: number,
  max: number,
): Option {
  return new Option(flags, description).argParser((text) => {
    const number = form.test(text) ? Number(text) : -1
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  })
}
