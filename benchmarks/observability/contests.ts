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

/** Entrants that run at the same time and are compared with each other. */
export interface Contest {
  readonly name: string
  readonly title: string
  readonly note: string
  readonly entrants: readonly Entrant[]
  /** Lines whose difference is what is looked for: each with the line it is compared with. */
  readonly overheads: Readonly<Record<string, string>>
  /** Requests to warm up with, if fewer are enough. */
  readonly warmUpRequests?: number
}

/** Labels that the targets and the report look up. */
export const Labels = {
  Untraced: 'ours, the code of tracing cut out',
  Plain: 'ours, nothing on',
  Twin: 'ours, nothing on, a second process',
  Off: 'ours, tracing off by its sampler',
  Few: 'ours, 1 % of the requests traced',
  All: 'ours, all requests traced',
  Log: 'ours, request log',
  Both: 'ours, request log and all requests traced',
  Fastify: 'Fastify',
  FastifyFew: 'Fastify, @fastify/otel, 1 %',
  FastifyAll: 'Fastify, @fastify/otel, all',
  FastifyWhole: 'Fastify, @fastify/otel and instrumentation-http, all',
  FastifyLog: 'Fastify, pino-http',
  FastifyOwnLog: 'Fastify, its own request log',
  Adonis: 'AdonisJS',
  AdonisFew: 'AdonisJS, @adonisjs/otel, 1 %',
  AdonisAll: 'AdonisJS, @adonisjs/otel, all',
} as const

const tracing: Contest = {
  name: 'tracing',
  title: 'Traces',
  note:
    'One statement in SQLite and a JSON document of 35 bytes. Overhead is the CPU of a request with ' +
    'tracing minus that without, in the same round. The second process with nothing on shows how ' +
    'far two equal lines differ.',
  entrants: [
    ours(Labels.Untraced, ['untraced']),
    ours(Labels.Plain),
    ours(Labels.Twin),
    ours(Labels.Off, [], 0),
    ours(Labels.Few, [], 0.01),
    ours(Labels.All, [], 1),
    peer(Labels.Fastify, 'fastify'),
    peer(Labels.FastifyFew, 'fastify', ['otel'], 0.01),
    peer(Labels.FastifyAll, 'fastify', ['otel'], 1),
    peer(Labels.FastifyWhole, 'fastify', ['otel', 'http'], 1),
    peer(Labels.Adonis, 'adonis'),
    peer(Labels.AdonisFew, 'adonis', ['otel'], 0.01),
    peer(Labels.AdonisAll, 'adonis', ['otel'], 1),
  ],
  overheads: {
    [Labels.Plain]: Labels.Untraced,
    [Labels.Twin]: Labels.Plain,
    [Labels.Off]: Labels.Plain,
    [Labels.Few]: Labels.Plain,
    [Labels.All]: Labels.Plain,
    [Labels.FastifyFew]: Labels.Fastify,
    [Labels.FastifyAll]: Labels.Fastify,
    [Labels.FastifyWhole]: Labels.Fastify,
    [Labels.AdonisFew]: Labels.Adonis,
    [Labels.AdonisAll]: Labels.Adonis,
  },
}

const logging: Contest = {
  name: 'log',
  title: 'A line for each request',
  note:
    'The same request. Every log is one JSON line to standard output, which is /dev/null; the own log ' +
    'of Fastify has two.',
  entrants: [
    ours(Labels.Plain),
    ours(Labels.Twin),
    ours(Labels.Log, [], null, { REQUEST_LOG: 'all' }),
    peer(Labels.Fastify, 'fastify'),
    peer(Labels.FastifyLog, 'fastify', ['pino-http']),
    peer(Labels.FastifyOwnLog, 'fastify', ['own-log']),
  ],
  overheads: {
    [Labels.Twin]: Labels.Plain,
    [Labels.Log]: Labels.Plain,
    [Labels.FastifyLog]: Labels.Fastify,
    [Labels.FastifyOwnLog]: Labels.Fastify,
  },
}

const page: Contest = {
  name: 'page',
  title: 'A page of a whole project',
  note:
    'What the same things cost where somebody pays for them: the list of items of the demo in ' +
    'production, with its middlewares, two statements in an SQLite file and a page of HTML. ' +
    'There were 15,000 requests to warm up.',
  warmUpRequests: 15_000,
  entrants: [
    demo(Labels.Plain),
    demo(Labels.Twin),
    demo(Labels.Log, null, { REQUEST_LOG: 'all' }),
    demo(Labels.Few, 0.01),
    demo(Labels.All, 1),
    demo(Labels.Both, 1, { REQUEST_LOG: 'all' }),
  ],
  overheads: {
    [Labels.Twin]: Labels.Plain,
    [Labels.Log]: Labels.Plain,
    [Labels.Few]: Labels.Plain,
    [Labels.All]: Labels.Plain,
    [Labels.Both]: Labels.Plain,
  },
}

function demo(
  label: string,
  sampled: number | null = null,
  env: Readonly<Record<string, string>> = {},
): Entrant {
  return { ...ours(label, [], sampled, env), server: 'demo' }
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

/** All contests. */
export const contests: readonly Contest[] = [tracing, logging, page]
