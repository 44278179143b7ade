/** What a server process is asked to be: a file in `servers`, and what it uses. */
export interface Entrant {
  readonly label: string
  readonly server: 'ours' | 'accounts' | 'fastify' | 'adonis'
  readonly parts: readonly string[]
}

/** Entrants that run at the same time and are compared with each other. */
export interface Contest {
  readonly name: string
  readonly title: string
  readonly note: string
  /**
   * A GET for a value of a session, a form with its token, or a GET for the page with a form: by a
   * guest who has been there before, or by one who comes for the first time with every request. Or a
   * GET for a value of an account, by its session or its API token.
   */
  readonly request: 'value' | 'form' | 'guest' | 'newcomer' | 'account'
  /** The line that the others are divided by. */
  readonly base: string
  readonly entrants: readonly Entrant[]
}

/** Labels that the targets and the report look up. */
export const Labels = {
  Bare: 'ours, no session',
  Redis: 'ours, Redis',
  Sqlite: 'ours, SQLite',
  Memory: 'ours, memory',
  Fastify: '@fastify/session, Redis',
  FastifyReading: '@fastify/session, Redis, saves changes only',
  FastifyNodeRedis: '@fastify/session, Redis by node-redis, saves changes only',
  FastifyMemory: '@fastify/session, memory, saves changes only',
  Adonis: 'AdonisJS, Redis',
  BareForm: 'ours, none of the three',
  Twin: 'ours, none of the three, a second process',
  WithSession: 'ours, session',
  WithCsrf: 'ours, session and CSRF',
  Whole: 'ours, session, CSRF and rate limit, all on SQLite',
  WholeMemory: 'ours, session and CSRF on SQLite, rate limit in memory',
  WholeRedis: 'ours, session, CSRF and rate limit, all on Redis',
  BarePage: 'ours, a page without session and token',
  Guest: 'ours, guests in their cookies',
  GuestRows: 'ours, guests in SQLite',
  AdonisCookie: 'AdonisJS, sessions in cookies',
  BareAccount: 'ours, neither session nor token',
  SignedIn: 'ours, session',
  SignedInTwin: 'ours, session, a second process',
  Token: 'ours, API token, no limit',
  LimitedToken: 'ours, API token, limit on SQLite',
} as const

/** Everything that is measured, in the order of the report. */
export const contests: readonly Contest[] = [
  {
    name: 'read',
    title: 'One value of a session, as JSON',
    note:
      'Ratios are to ours on Redis. The first line of ours has no session at all: it is what ' +
      'the route costs by itself.',
    request: 'value',
    base: Labels.Redis,
    entrants: [
      ours(Labels.Redis, 'redis'),
      ours(Labels.Sqlite, 'sqlite'),
      ours(Labels.Memory, 'memory'),
      ours(Labels.Bare, 'none'),
      { label: Labels.Fastify, server: 'fastify', parts: ['ioredis', 'rolling'] },
      { label: Labels.FastifyReading, server: 'fastify', parts: ['ioredis'] },
      { label: Labels.FastifyNodeRedis, server: 'fastify', parts: ['node-redis'] },
      { label: Labels.FastifyMemory, server: 'fastify', parts: ['memory'] },
      { label: Labels.Adonis, server: 'adonis', parts: [] },
    ],
  },
  {
    name: 'stack',
    title: 'A form with its token: session, CSRF and rate limit',
    note:
      'Ratios are to the same form sent to the same route without any of the three. Every line ' +
      'reads the form; those with a session read one value of it too. The second process runs the ' +
      'same program as the first and shows how far two equal lines differ.',
    request: 'form',
    base: Labels.BareForm,
    entrants: [
      ours(Labels.BareForm, 'none'),
      ours(Labels.Twin, 'none'),
      ours(Labels.WithSession, 'sqlite'),
      ours(Labels.WithCsrf, 'sqlite', 'csrf'),
      ours(Labels.WholeMemory, 'sqlite', 'csrf', 'limit', 'limit-memory'),
      ours(Labels.Whole, 'sqlite', 'csrf', 'limit'),
      ours(Labels.WholeRedis, 'redis', 'csrf', 'limit'),
    ],
  },
  {
    name: 'guest',
    title: 'A page with a form, for a guest who has been there before',
    note:
      'Ratios are to ours with the sessions of guests in their cookies, which writes nothing: its ' +
      'database is asked for its rows afterwards, and has none.',
    request: 'guest',
    base: Labels.Guest,
    entrants: guestEntrants(),
  },
  {
    name: 'newcomer',
    title: 'The same page, for a guest who comes for the first time',
    note: 'The requests have no cookie, so every one of them begins a session.',
    request: 'newcomer',
    base: Labels.Guest,
    entrants: guestEntrants(),
  },
  {
    name: 'bearer',
    title: 'A value of an account, by API token instead of session',
    note:
      'Ratios are to the request of somebody who is signed in. Each line but the one with neither ' +
      'asks for the session or the token and for the account; the route asks for one row more. The ' +
      'limit of tokens is on unless it is turned off. The second process runs the same program as ' +
      'the first and shows how far two equal lines differ.',
    request: 'account',
    base: Labels.SignedIn,
    entrants: [
      accounts(Labels.SignedIn),
      accounts(Labels.SignedInTwin),
      accounts(Labels.Token, 'token'),
      accounts(Labels.LimitedToken, 'token', 'limit'),
      accounts(Labels.BareAccount, 'none'),
    ],
  },
]

function guestEntrants(): readonly Entrant[] {
  return [
    ours(Labels.Guest, 'sqlite', 'csrf', 'guests'),
    ours(Labels.GuestRows, 'sqlite', 'csrf'),
    ours(Labels.BarePage, 'none'),
    { label: Labels.FastifyReading, server: 'fastify', parts: ['ioredis'] },
    { label: Labels.FastifyNodeRedis, server: 'fastify', parts: ['node-redis'] },
    { label: Labels.FastifyMemory, server: 'fastify', parts: ['memory'] },
    { label: Labels.Adonis, server: 'adonis', parts: [] },
    { label: Labels.AdonisCookie, server: 'adonis', parts: ['cookie'] },
  ]
}

function ours(label: string, ...parts: readonly string[]): Entrant {
  return { label, server: 'ours', parts }
}

function accounts(label: string, ...parts: readonly string[]): Entrant {
  return { label, server: 'accounts', parts }
}
