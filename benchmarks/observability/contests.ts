/** What is switched on in a server process. */
export interface Entrant {
  readonly label: string
  /** A file in `servers`. */
  readonly server: 'ours' | 'demo' | 'fastify' | 'adonis'
  readonly parts: readonly string[]
  /** The share of requests whose spans are exported; null without tracing. */
  readonly sampled: number | null
  /** Only ours reads these. */
  readonly env: Readonly<Record<string, string>>
}

/** Entrants that are compared with each other. */
export interface Contest {
  readonly name: string
  readonly title: string
  readonly note: string
  readonly entrants: readonly Entrant[]
}

/** Labels that the targets and the report look up; a peer with a `Stack` has what our page has around it. */
export const Labels = {
  Untraced: 'ours, the code of tracing cut out',
  Plain: 'ours, nothing on',
  Off: 'ours, tracing off by its sampler',
  Few: 'ours, 1 % of the requests traced',
  All: 'ours, all requests traced',
  Log: 'ours, request log',
  Kept: 'ours, the slowest and the failed requests kept',
  Fastify: 'Fastify',
  FastifyAll: 'Fastify, @fastify/otel, all',
  FastifyWhole: 'Fastify, @fastify/otel and instrumentation-http, all',
  FastifyLog: 'Fastify, pino-http',
  FastifyStack: 'Fastify with plugins',
  FastifyStackAll: 'Fastify with plugins, @fastify/otel, all',
  Adonis: 'AdonisJS',
  AdonisAll: 'AdonisJS, @adonisjs/otel, all',
  AdonisStack: 'AdonisJS with middlewares',
  AdonisStackAll: 'AdonisJS with middlewares, @adonisjs/otel, all',
} as const

/** Lines whose difference is what is looked for: each with the line it is compared with. */
export const comparisons: Readonly<Record<string, string>> = {
  [Labels.Plain]: Labels.Untraced,
  [Labels.Off]: Labels.Plain,
  [Labels.Few]: Labels.Plain,
  [Labels.All]: Labels.Plain,
  [Labels.Log]: Labels.Plain,
  [Labels.Kept]: Labels.Plain,
  [Labels.FastifyAll]: Labels.Fastify,
  [Labels.FastifyWhole]: Labels.Fastify,
  [Labels.FastifyLog]: Labels.Fastify,
  [Labels.FastifyStackAll]: Labels.FastifyStack,
  [Labels.AdonisAll]: Labels.Adonis,
  [Labels.AdonisStackAll]: Labels.AdonisStack,
}

const requestLog = { REQUEST_LOG: 'all' }

const page: Contest = {
  name: 'page',
  title: 'A page',
  note:
    'Two statements in an SQLite file, and a table of ten rows as HTML. Ours is the list of items of the ' +
    'demo in production, with its middlewares: ids of requests, secure headers, compression, sessions. ' +
    'Each peer takes part twice: with plugins or middlewares for the same, and without any.',
  entrants: [
    ours(Labels.Untraced, ['untraced']),
    ours(Labels.Plain),
    ours(Labels.Few, [], 0.01),
    ours(Labels.All, [], 1),
    ours(Labels.Log, [], null, requestLog),
    ours(Labels.Kept, [], null, { KEEP_REQUESTS: 'on' }),
    peer(Labels.Fastify, 'fastify'),
    peer(Labels.FastifyAll, 'fastify', ['otel'], 1),
    peer(Labels.FastifyLog, 'fastify', ['pino-http']),
    peer(Labels.FastifyStack, 'fastify', ['stack']),
    peer(Labels.FastifyStackAll, 'fastify', ['stack', 'otel'], 1),
    peer(Labels.Adonis, 'adonis'),
    peer(Labels.AdonisAll, 'adonis', ['otel'], 1),
    peer(Labels.AdonisStack, 'adonis', ['stack']),
    peer(Labels.AdonisStackAll, 'adonis', ['stack', 'otel'], 1),
  ].map(onPage),
}

const bare: Contest = {
  name: 'bare',
  title: 'The barest request',
  note:
    'One statement in SQLite and a JSON document of 35 bytes, without middlewares: a request that does ' +
    'next to nothing, so that every microsecond beside it is a percent.',
  entrants: [
    ours(Labels.Untraced, ['untraced']),
    ours(Labels.Plain),
    ours(Labels.Off, [], 0),
    ours(Labels.Few, [], 0.01),
    ours(Labels.All, [], 1),
    ours(Labels.Log, [], null, requestLog),
    peer(Labels.Fastify, 'fastify'),
    peer(Labels.FastifyAll, 'fastify', ['otel'], 1),
    peer(Labels.FastifyWhole, 'fastify', ['otel', 'http'], 1),
    peer(Labels.FastifyLog, 'fastify', ['pino-http']),
    peer(Labels.Adonis, 'adonis'),
    peer(Labels.AdonisAll, 'adonis', ['otel'], 1),
  ],
}

function ours(
  label: string,
  parts: readonly string[] = [],
  sampled: number | null = null,
  env: Readonly<Record<string, string>> = {},
): Entrant {
  return { label, server: 'ours', parts, sampled, env: { REQUEST_LOG: 'off', ...env } }
}

function peer(
  label: string,
  server: 'fastify' | 'adonis',
  parts: readonly string[] = [],
  sampled: number | null = null,
): Entrant {
  return { label, server, parts, sampled, env: {} }
}

function onPage(entrant: Entrant): Entrant {
  const server = entrant.server === 'ours' ? 'demo' : entrant.server
  return { ...entrant, server, parts: [...entrant.parts, 'page'] }
}

/** Whether it is a server of ours. */
export function isOurs({ server }: Entrant): boolean {
  return server === 'ours' || server === 'demo'
}

/** Whether it answers with the page. */
export function isPage({ parts }: Entrant): boolean {
  return parts.includes('page')
}

/** All contests. */
export const contests: readonly Contest[] = [page, bare]
