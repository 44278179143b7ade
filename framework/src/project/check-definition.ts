import { ConfigurationError } from '../base/errors.ts'
import { checkSchedule } from './schedule/schedule.ts'
import { checkCommands } from './scripts/bound-command.ts'

/** Untyped, because the definition may come from JavaScript. */
type Parts = Readonly<
  Partial<
    Record<
      | 'name'
      | 'configs'
      | 'services'
      | 'routes'
      | 'addresses'
      | 'resources'
      | 'globals'
      | 'errorValues'
      | 'sessions'
      | 'rateLimits'
      | 'middlewares'
      | 'queues'
      | 'commands'
      | 'schedule'
      | 'sweeps'
      | 'accounts'
      | 'checks'
      | 'banner',
      unknown
    >
  >
>

/** @throws ConfigurationError that names the missing or invalid part of a project. */
export function checkDefinition(definition: Parts): void {
  const { name, configs, services, routes, resources, middlewares, queues, banner } = definition
  const { globals, errorValues, sessions, rateLimits, sweeps, accounts, checks } = definition
  const { addresses } = definition
  if (typeof name !== 'string' || name === '') throw problem('name', 'a non-empty string')
  if (!Array.isArray(routes)) throw problem('routes', 'a list of route sets')
  for (const [part, value] of Object.entries({
    services,
    resources,
    globals,
    errorValues,
    sessions,
    rateLimits,
    middlewares,
    queues,
    sweeps,
    accounts,
    checks,
    banner,
  })) {
    if (value !== undefined && typeof value !== 'function') throw problem(part, 'a function')
  }
  if (addresses !== undefined && typeof addresses !== 'function') {
    throw problem('addresses', 'the result of defineRoutes()')
  }
  // The sessions would be ignored silently.
  if (sessions !== undefined && middlewares !== undefined) {
    throw problem(
      'sessions',
      'passed to defaultStack(root, { sessions }) if there are "middlewares"',
    )
  }
  if (configs !== undefined) checkConfigs(configs)
  if (definition.commands !== undefined) checkCommands(definition.commands)
  if (definition.schedule !== undefined) checkSchedule(definition.schedule)
}

function checkConfigs(configs: unknown): void {
  if (typeof configs !== 'object' || configs === null)
    throw problem('configs', 'an object of scopes')
  for (const [key, scope] of Object.entries(configs)) {
    if (!isScope(scope)) throw problem(`configs.${key}`, 'a scope made by scope()')
  }
}

function isScope(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'variables' in value && 'name' in value
}

function problem(part: string, kind: string): ConfigurationError {
  return new ConfigurationError('E_PROJECT', `defineProject: "${part}" must be ${kind}`)
}
