import { ConfigurationError } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { Sweeps } from './sweeps.ts'

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
  need(typeof name === 'string' && name !== '', '"name" must be a non-empty string')
  need(Array.isArray(routes), '"routes" must be a list of route sets')
  for (const part of functions) {
    need(isFunction(definition[part] ?? noop), `"${part}" must be a function`)
  }
  need(isFunction(urls ?? noop), '"urls" must be the result of defineRoutes()')
  const isAccounts = isFunction(accounts ?? noop) || isModule(accounts)
  need(isAccounts, '"accounts" must be the result of accounts(), or a function')
  // The sessions would be ignored silently.
  need(
    sessions === undefined || middlewares === undefined,
    '"sessions" must be passed to defaultStack(root, { sessions }) if there are "middlewares"',
  )
  if (configs !== undefined) checkConfigs(configs)
  if (commands !== undefined) checkCommands(commands)
  if (schedule !== undefined) checkSchedule(schedule)
}

const noop = (): void => {}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isModule(value: unknown): boolean {
  return isRecord(value) && isFunction(value['mount']) && 'migrations' in value
}

function checkConfigs(configs: unknown): void {
  need(isRecord(configs), '"configs" must be an object of scopes')
  for (const [key, scope] of Object.entries(configs)) {
    const isScope = isRecord(scope) && 'variables' in scope && 'name' in scope
    need(isScope, `"configs.${key}" must be a scope made by scope()`)
  }
}

function checkCommands(commands: unknown): void {
  need(Array.isArray(commands), '"commands" must be a list of commands', 'E_COMMAND')
  const names = new Set<unknown>()
  for (const entry of commands) {
    const text = '"commands" lists something that is not made by command(…).run(…)'
    need(isCommand(entry), text, 'E_COMMAND')
    need(!names.has(entry.name), `"commands" lists ${entry.name} twice`, 'E_COMMAND')
    names.add(entry.name)
  }
}

function isCommand(value: unknown): value is { readonly name: string } {
  return isRecord(value) && 'run' in value && 'args' in value && typeof value['name'] === 'string'
}

function checkSchedule(schedule: unknown): void {
  need(
    isRecord(schedule) && Array.isArray(schedule['tasks']),
    '"schedule" must be an object with a list "tasks" and a function "store"',
    'E_SCHEDULE',
  )
  const { tasks, store, lease = 60, sweep } = schedule
  const needsStore = '"schedule" needs "store", a function that returns the store'
  need(isFunction(store), needsStore, 'E_SCHEDULE')
  const isLease = typeof lease === 'number' && lease >= 1 && lease <= 86_400
  need(isLease, '"schedule" has a "lease" that is not from 1 to 86400 seconds', 'E_SCHEDULE')
  const names = new Set<unknown>(sweep === undefined ? [] : ['sweep'])
  for (const entry of Array.isArray(tasks) ? tasks : []) {
    const text = '"schedule" lists something that is not made by task(…).run(…)'
    need(isTask(entry), text, 'E_SCHEDULE')
    need(!names.has(entry.name), `"schedule" lists the task ${entry.name} twice`, 'E_SCHEDULE')
    names.add(entry.name)
  }
}

function isTask(value: unknown): value is { readonly name: string } {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false
  return isFunction(value['run']) && isRecord(value['times'])
}

/** @throws ConfigurationError E_QUEUE unless `queues` has returned workers of different queues. */
export function checkedQueues(
  workers: readonly QueueWorker[],
  ofModules: readonly QueueWorker[],
): readonly QueueWorker[] {
  const names = new Set(ofModules.map(({ queue }) => queue.name))
  for (const worker of Array.isArray(workers) ? workers : [undefined]) {
    const text = '"queues" must return a list of workers created by queueWorker()'
    need(isWorker(worker), text, 'E_QUEUE')
    const { name } = worker.queue
    need(!names.has(name), `"queues" lists ${name} twice`, 'E_QUEUE')
    names.add(name)
  }
  return [...ofModules, ...workers]
}

function isWorker(worker: unknown): worker is QueueWorker {
  return isRecord(worker) && 'run' in worker && 'queue' in worker
}

/** @throws ConfigurationError E_PROJECT unless `sweeps` has returned stores that can be swept. */
export function checkedSweeps(sweeps: Sweeps): Sweeps {
  need(isPlain(sweeps), '"sweeps" must return an object such as { tokens, trust, sessions }')
  for (const [name, entry] of Object.entries<unknown>(sweeps)) {
    const isSweepable = isRecord(entry) && isFunction(entry['sweep'])
    need(isSweepable, `"sweeps" returns "${name}", which has no sweep() method`)
  }
  return sweeps
}

// A promise is refused too: it is an object without entries, so nothing would ever be swept.
function isPlain(sweeps: unknown): boolean {
  if (!isRecord(sweeps)) return false
  const prototype: unknown = Object.getPrototypeOf(sweeps)
  return prototype === Object.prototype || prototype === null
}

function need(
  holds: boolean,
  text: string,
  code: ConfigurationError['code'] = 'E_PROJECT',
): asserts holds {
  if (!holds) throw new ConfigurationError(code, `defineProject: ${text}`)
}
