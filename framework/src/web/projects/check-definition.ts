import { ConfigurationError } from '../../base/errors.ts'

/** The parts of a definition as they come from code that no compiler has seen. */
type Parts = Readonly<
  Partial<
    Record<
      | 'name'
      | 'configs'
      | 'services'
      | 'routes'
      | 'resources'
      | 'globals'
      | 'errorValues'
      | 'sessions'
      | 'rateLimits'
      | 'middlewares'
      | 'queues'
      | 'sweeps'
      | 'banner',
      unknown
    >
  >
>

/** @throws ConfigurationError that names the part of a project which is missing or misshapen. */
export function checkDefinition(definition: Parts): void {
  const { name, configs, services, routes, resources, middlewares, queues, banner } = definition
  const { globals, errorValues, sessions, rateLimits, sweeps } = definition
  if (typeof name !== 'string' || name === '') throw problem('name', 'a text that is not empty')
  if (!Array.isArray(routes)) throw problem('routes', 'the list of route sets, the manifest')
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
    banner,
  })) {
    if (value !== undefined && typeof value !== 'function') throw problem(part, 'a function')
  }
  // They would be left out without a word, and whoever relies on them would be alone.
  if (sessions !== undefined && middlewares !== undefined) {
    throw problem('sessions', 'given to defaultStack(root, { sessions }) beside "middlewares"')
  }
  if (configs !== undefined) checkConfigs(configs)
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
