import { InvalidArgumentError, Option } from 'commander'
import { Environments } from '../app/environments/environments.ts'

/** `--project <folder>`: which project a command is about. */
export function projectOption(): Option {
  return new Option('--project <folder>', 'folder of the project').default('.', 'this one')
}

/** `--environment <name>`: a name that does not exist is refused, not taken for production. */
export function environmentOption(): Option {
  const names = Object.values(Environments).filter((name) => typeof name === 'string')
  return new Option('--environment <name>', 'environment (FRAMEWORK_ENVIRONMENT)').choices(names)
}

/** `--port <number>`. */
export function portOption(): Option {
  return new Option('--port <number>', 'port to listen on (PORT)').argParser((text) => {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
    if (port >= 0 && port <= 65_535) return port
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  })
}

/** `--workers <number>`: a number of processes, or `auto` for one a processor. */
export function workersOption(): Option {
  return new Option('--workers <number>', 'processes, or auto (WORKERS)').argParser((text) => {
    if (text === 'auto') return text
    const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (count >= 1 && count <= 1024) return count
    throw new InvalidArgumentError('It must be a number from 1 to 1024, or auto.')
  })
}

/** `--steps <number>`: how many migrations. */
export function stepsOption(): Option {
  return new Option('--steps <number>', 'at most so many migrations').argParser((text) => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (count >= 1) return count
    throw new InvalidArgumentError('It must be a number of 1 or more.')
  })
}

/** `--concurrency <number>`: how many jobs are worked on at once. */
export function concurrencyOption(): Option {
  return new Option('--concurrency <number>', 'jobs at once (1)').argParser((text) => {
    const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (count >= 1 && count <= 1024) return count
    throw new InvalidArgumentError('It must be a number from 1 to 1024.')
  })
}

/** `--interval <seconds>`: how often something is done again. */
export function intervalOption(): Option {
  return secondsOption('--interval <seconds>', 'do it again and again, this often', 0.1)
}

/** `--retry-for <seconds>`: how long something that failed is tried again. */
export function retryForOption(): Option {
  return secondsOption('--retry-for <seconds>', 'how long to try again (60), 0 for not at all', 0)
}

function secondsOption(flags: string, description: string, least: number): Option {
  const most = 86_400
  return new Option(flags, description).argParser((text) => {
    const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1
    if (seconds >= least && seconds <= most) return seconds
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`)
  })
}
