import { ConfigurationError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { Sweepable, Sweeps } from './sweeps.ts'

const functions = [
  'services',
  'resources',
  'globals',
  'errorValues',
  'sessions',
  'rateLimits',
  'middlewares',
  'queues',
  'sweeps',
  'checks',
  'banner',
] as const

/** @throws ConfigurationError that names the missing or invalid part of a project. */
export function checkDefinition(given: object): void {
  // Untyped, because the definition may come from JavaScript.
  const definition: Readonly<Record<string, unknown>> = { ...given }
  const { name, configs, routes, urls, accounts, sessions, middlewares, commands, schedule } =
    definition
  if (typeof name !== 'string' || name === '') throw problem('"name" must be a non-empty string')
  if (!Array.isArray(routes)) throw problem('"routes" must be a list of route sets')
  for (const part of functions) {
    const value = definition[part]
    if (value !== undefined && typeof value !== 'function') {
      throw problem(`"${part}" must be a function`)
    }
  }
  if (urls !== undefined && typeof urls !== 'function') {
    throw problem('"urls" must be the result of defineRoutes()')
  }
  if (accounts !== undefined && typeof accounts !== 'function' && !isModule(accounts)) {
    throw problem('"accounts" must be the result of accounts(), or a function')
  }
  // The sessions would be ignored silently.
  if (sessions !== undefined && middlewares !== undefined) {
    throw problem(
      '"sessions" must be passed to defaultStack(root, { sessions }) if there are "middlewares"',
    )
  }
  if (configs !== undefined) checkConfigs(configs)
  if (commands !== undefined) checkCommands(commands)
  if (schedule !== undefined) checkSchedule(schedule)
}

function isModule(value: unknown): boolean {
  return isRecord(value) && typeof value['mount'] === 'function' && 'migrations' in value
}

function checkConfigs(configs: unknown): void {
  if (!isRecord(configs)) throw problem('"configs" must be an object of scopes')
  for (const [key, scope] of Object.entries(configs)) {
    if (isRecord(scope) && 'variables' in scope && 'name' in scope) continue
    throw problem(`"configs.${key}" must be a scope made by scope()`)
  }
}

function checkCommands(commands: unknown): void {
  if (!Array.isArray(commands)) throw problem('"commands" must be a list of commands', 'E_COMMAND')
  const names = new Set<unknown>()
  for (const entry of commands) {
    if (!isCommand(entry)) {
      const text = '"commands" lists something that is not made by command(…).run(…)'
      throw problem(text, 'E_COMMAND')
    }
    const { name } = entry
    if (names.has(name)) throw problem(`"commands" lists ${name} twice`, 'E_COMMAND')
    names.add(name)
  }
}

function isCommand(value: unknown): value is { readonly name: string } {
  return isRecord(value) && 'run' in value && 'args' in value && typeof value['name'] === 'string'
}

function checkSchedule(schedule: unknown): void {
  if (!isRecord(schedule) || !Array.isArray(schedule['tasks'])) {
    const text = '"schedule" must be an object with a list "tasks" and a function "store"'
    throw problem(text, 'E_SCHEDULE')
  }
  const { tasks, store, lease = 60 } = schedule
  if (typeof store !== 'function') {
    throw problem('"schedule" needs "store", a function that returns the store', 'E_SCHEDULE')
  }
  if (typeof lease !== 'number' || !(lease >= 1 && lease <= 86_400)) {
    throw problem('"schedule" has a "lease" that is not from 1 to 86400 seconds', 'E_SCHEDULE')
  }
  const names = new Set<unknown>(schedule['sweep'] === undefined ? [] : ['sweep'])
  for (const entry of tasks) {
    if (!isTask(entry)) {
      const text = '"schedule" lists something that is not made by task(…).run(…)'
      throw problem(text, 'E_SCHEDULE')
    }
    const { name } = entry
    if (names.has(name)) throw problem(`"schedule" lists the task ${name} twice`, 'E_SCHEDULE')
    names.add(name)
  }
}

function isTask(value: unknown): value is { readonly name: string } {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false
  return typeof value['run'] === 'function' && isRecord(value['times'])
}

/** @throws ConfigurationError E_QUEUE unless `queues` has returned workers of different queues. */
export function checkedQueues(
  workers: readonly QueueWorker[],
  ofModules: readonly QueueWorker[],
): readonly QueueWorker[] {
  const names = new Set(ofModules.map(({ queue }) => queue.name))
  for (const worker of Array.isArray(workers) ? workers : [undefined]) {
    if (!isWorker(worker)) {
      const text = '"queues" must return a list of workers created by queueWorker()'
      throw problem(text, 'E_QUEUE')
    }
    const { name } = worker.queue
    if (names.has(name)) throw problem(`"queues" lists ${name} twice`, 'E_QUEUE')
    names.add(name)
  }
  return [...ofModules, ...workers]
}

function isWorker(worker: unknown): worker is QueueWorker {
  return isRecord(worker) && 'run' in worker && 'queue' in worker
}

/** @throws ConfigurationError E_PROJECT unless `sweeps` has returned stores that can be swept. */
export function checkedSweeps(sweeps: Sweeps): Sweeps {
  if (!isPlain(sweeps)) {
    throw problem('"sweeps" must return an object such as { tokens, trust, sessions }')
  }
  for (const [name, entry] of Object.entries(sweeps)) {
    if (!isSweepable(entry)) {
      throw problem(`"sweeps" returns "${name}", which has no sweep() method`)
    }
  }
  return sweeps
}

// A promise is refused too: it is an object without entries, so nothing would ever be swept.
function isPlain(sweeps: unknown): boolean {
  if (!isRecord(sweeps)) return false
  const prototype: unknown = Object.getPrototypeOf(sweeps)
  return prototype === Object.prototype || prototype === null
}

function isSweepable(entry: unknown): entry is Sweepable {
  return isRecord(entry) && typeof entry['sweep'] === 'function'
}

function problem(text: string, code: ConfigurationError['code'] = 'E_PROJECT'): ConfigurationError {
  return new ConfigurationError(code, `defineProject: ${text}`)
}
