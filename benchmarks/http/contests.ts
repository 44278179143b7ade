import { Scenarios } from './scenarios.ts'

/** One line of a result table: a server file, what it serves, and how it is started. */
export interface Entrant {
  readonly label: string
  readonly server: string
  readonly scenario: Scenarios
  /** Whether the server is created with `optimizeEmptyRequests: true`. Ours always is. */
  readonly optimized: boolean
}

/** Entrants that run at the same time and are compared with each other. */
export interface Contest {
  readonly name: string
  readonly title: string
  readonly entrants: readonly Entrant[]
}

/** The file name of our own server. */
export const ours = 'framework'

/** Labels that the targets and the report look up. */
export const Labels = {
  Ours: 'ours',
  Twin: 'ours, a second process',
  Passes: 'ours, 5 middlewares that only call next',
  Headers: 'ours, 5 middlewares that set a header each',
  Unheard: 'ours, the handler emits an event nobody hears',
  Listened: 'ours, a listener on Received and on Handled',
  Telemetry: 'ours, with telemetry',
  Unchecked: 'ours, not validated',
  Raw: 'node:http',
  RawOptimized: 'node:http, optimized',
  RawHeaders: 'node:http, optimized, 5 functions that set a header each',
} as const

/** Peers by file name, with the label of the stock server. */
export const peers: Readonly<Record<string, string>> = {
  raw: Labels.Raw,
  fastify: 'Fastify 5',
  hono: 'Hono 4',
  express: 'Express 5',
  koa: 'Koa 3',
  adonis: 'AdonisJS 7',
}

/** Everything that is measured under load, in the order of the report. */
export const contests: readonly Contest[] = [
  { name: 'json', title: 'JSON', entrants: everyone(Scenarios.Json) },
  { name: 'param', title: 'One path parameter', entrants: everyone(Scenarios.Param) },
  { name: 'view', title: 'A view with ten escaped items', entrants: everyone(Scenarios.View) },
  {
    name: 'middlewares',
    title: 'Five middlewares, then JSON',
    entrants: everyone(Scenarios.Middlewares),
  },
  {
    name: 'input',
    title: 'A JSON body, validated',
    entrants: [
      our(Labels.Ours, Scenarios.Input),
      our(Labels.Unchecked, Scenarios.Unchecked),
      ...both(Scenarios.Input, ['fastify', 'hono', 'adonis']),
    ],
  },
  {
    name: 'costs',
    title: 'What middlewares and events cost us',
    entrants: [
      our(Labels.Ours, Scenarios.Json),
      our(Labels.Twin, Scenarios.Json),
      our(Labels.Unheard, Scenarios.Unheard),
      our(Labels.Listened, Scenarios.Listened),
      our(Labels.Telemetry, Scenarios.Telemetry),
      our(Labels.Passes, Scenarios.Passes),
      our(Labels.Headers, Scenarios.Middlewares),
      entrant(Labels.RawOptimized, 'raw', Scenarios.Json, true),
      entrant(Labels.RawHeaders, 'raw', Scenarios.Middlewares, true),
    ],
  },
]

function everyone(scenario: Scenarios): readonly Entrant[] {
  return [our(Labels.Ours, scenario), ...both(scenario, Object.keys(peers))]
}

function both(scenario: Scenarios, servers: readonly string[]): readonly Entrant[] {
  return servers.flatMap((server) => [
    entrant(peers[server] ?? server, server, scenario, false),
    entrant(`${peers[server] ?? server}, optimized`, server, scenario, true),
  ])
}

function our(label: string, scenario: Scenarios): Entrant {
  return entrant(label, ours, scenario, true)
}

function entrant(label: string, server: string, scenario: Scenarios, optimized: boolean): Entrant {
  return { label, server, scenario, optimized }
}
