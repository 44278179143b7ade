const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const routeBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** A simulated route. */
export interface SimulatedRoute {
  readonly method?: string
  /** Null for requests without a route. */
  readonly route: string | null
  readonly status: number
  /** Requests per second. */
  readonly rate: number
  /** The median duration in seconds. */
  readonly median: number
}

/** What a simulated fleet does at a given time in seconds. */
export interface Behaviour {
  /** Requests per second. */
  readonly rate: (at: number) => number
  /** The median duration in seconds. */
  readonly median: (at: number) => number
  /** The share of requests that fail. */
  readonly failing: (at: number) => number
  /** The ids of the running workers. */
  readonly workers: (at: number) => readonly number[]
  /** Its routes, whose rates do not change. */
  readonly routes: readonly SimulatedRoute[]
}

/**
 * The JSON documents of a fleet whose clock advances by `step` seconds with each one, so that minutes
 * pass while a test takes seconds, and every number is known in advance.
 */
export class MetricsFeed {
  readonly #behaviour: Behaviour
  readonly #step: number
  readonly #buckets = new Map(bounds.map((bound) => [String(bound), 0]))
  readonly #responses = new Map<string, number>(classes.map((name) => [name, 0]))
  readonly #cpu = new Map<number, number>()
  #at = 1_700_000_000
  #startedAt = this.#at
  #requests = 0
  #exceptions = 0
  #sum = 0

  constructor(behaviour: Partial<Behaviour> = {}, step = 2) {
    this.#behaviour = {
      rate: () => 50,
      median: () => 0.02,
      failing: () => 0,
      workers: () => [4711],
      routes: [],
      ...behaviour,
    }
    this.#step = step
  }

  /** Resets the counters to zero, as after a restart. */
  restart(): void {
    this.#startedAt = this.#at
    this.#requests = 0
    this.#exceptions = 0
    this.#sum = 0
    for (const counts of [this.#buckets, this.#responses]) {
      for (const key of counts.keys()) counts.set(key, 0)
    }
  }

  /** The next document. */
  next(): object {
    this.#at += this.#step
    this.#count(this.#behaviour.rate(this.#at) * this.#step)
    const metrics = { ...this.#http(), ...this.#byRoute(), ...this.#processes() }
    return { timestamp: this.#at, metrics }
  }

  #count(requests: number): void {
    const { median, failing } = this.#behaviour
    const half = median(this.#at)
    const failed = requests * failing(this.#at)
    this.#requests += requests
    this.#exceptions += failed
    this.#sum += requests * half
    for (const [bound, count] of this.#buckets) {
      // Durations are distributed as 1 - 2^-(t/half): their median is `half`.
      this.#buckets.set(bound, count + requests * (1 - 2 ** -(Number(bound) / half)))
    }
    this.#answer('5xx', failed)
    this.#answer('4xx', requests * 0.06)
    this.#answer('3xx', requests * 0.12)
    this.#answer('2xx', requests * 0.82 - failed)
  }

  #answer(name: string, more: number): void {
    this.#responses.set(name, (this.#responses.get(name) ?? 0) + more)
  }

  #http(): object {
    const responses = [...this.#responses].map(([name, value]) =>
      series({ class: name }, Math.round(value)),
    )
    const buckets = { ...Object.fromEntries(this.#buckets), '+Inf': this.#requests }
    const durations = { labels: {}, buckets, sum: this.#sum, count: this.#requests }
    return {
      http_requests_total: metric('counter', [series({}, Math.round(this.#requests))]),
      http_responses_total: metric('counter', responses),
      http_request_duration_seconds: metric('histogram', [durations]),
      http_requests_in_flight: metric('gauge', [series({}, 3 + Math.round(this.#wave(3, 19)))]),
      http_bytes_read_total: metric('counter', [series({}, Math.round(this.#requests * 640))]),
      http_bytes_written_total: metric('counter', [series({}, Math.round(this.#requests * 9_200))]),
      exceptions_total: metric('counter', [series({}, Math.round(this.#exceptions))]),
    }
  }

  #byRoute(): object {
    const seconds = this.#at - this.#startedAt
    const list = this.#behaviour.routes.map(({ method = 'GET', route, status, rate, median }) => {
      const count = Math.round(rate * seconds)
      const below = (bound: number): number => Math.round(count * (1 - 2 ** -(bound / median)))
      const buckets = Object.fromEntries(routeBounds.map((bound) => [bound, below(bound)]))
      return {
        labels: {
          http_request_method: method,
          ...(route !== null && { http_route: route }),
          http_response_status_code: String(status),
        },
        buckets: { ...buckets, '+Inf': count },
        sum: count * median,
        count,
      }
    })
    return { http_server_request_duration_seconds: metric('histogram', list) }
  }

  #processes(): object {
    const workers = this.#behaviour.workers(this.#at)
    const each = (type: string, value: (pid: number, place: number) => number): object =>
      metric(
        type,
        workers.map((pid, place) => series({ pid: String(pid) }, value(pid, place))),
      )
    return {
      process_memory_bytes: each(
        'gauge',
        (_, place) => 1e6 * (92 + 14 * place + this.#wave(6, 40 + 9 * place)),
      ),
      process_cpu_seconds_total: each('counter', (pid, place) => this.#burn(pid, place)),
      process_uptime_seconds: each('gauge', () => this.#at - 1_699_989_000),
      runtime_event_loop_lag_seconds: each('gauge', () => 0.0004 + this.#wave(0.0003, 23)),
      runtime_event_loop_lag_p99_seconds: each('gauge', () => 0.0021 + this.#wave(0.0015, 31)),
      runtime_event_loop_lag_max_seconds: each('gauge', () => 0.006 + this.#wave(0.005, 53)),
    }
  }

  #burn(pid: number, place: number): number {
    const share = 0.35 + 0.08 * place + this.#wave(0.12, 37 + 5 * place)
    const seconds = (this.#cpu.get(pid) ?? 0) + share * this.#step
    this.#cpu.set(pid, seconds)
    return seconds
  }

  /** Oscillates between `-size` and `size`. */
  #wave(size: number, seconds: number): number {
    const turn = (2 * Math.PI * this.#at) / seconds
    return size * (0.7 * Math.sin(turn) + 0.3 * Math.sin(turn * 2.7))
  }
}

/** The routes of a shop: many, some slow, one that fails. */
export const shopRoutes: readonly SimulatedRoute[] = [
  { route: '/', status: 200, rate: 120, median: 0.004 },
  { route: '/products', status: 200, rate: 96, median: 0.018 },
  { route: '/products/:id', status: 200, rate: 88, median: 0.012 },
  { route: '/products/:id', status: 404, rate: 2, median: 0.003 },
  { method: 'POST', route: '/cart/:id/lines', status: 303, rate: 14, median: 0.03 },
  { method: 'POST', route: '/orders', status: 303, rate: 4, median: 0.35 },
  { method: 'POST', route: '/orders', status: 500, rate: 0.5, median: 1.2 },
  { route: '/search', status: 200, rate: 22, median: 0.16 },
  { route: null, status: 404, rate: 6, median: 0.002 },
  { method: '_OTHER', route: null, status: 405, rate: 0.5, median: 0.002 },
  ...Array.from({ length: 24 }, (_, at) => ({
    route: `/reports/${at + 1}/:year`,
    status: 200,
    rate: 0.5,
    median: 0.05,
  })),
]

/** The slowest statements of the shop. */
export const shopStatements: readonly object[] = [
  {
    statement:
      'SELECT "p"."id", "p"."name", "p"."price", count("l"."id") AS "sold" FROM "products" AS "p" ' +
      'LEFT JOIN "order_lines" AS "l" ON "l"."product_id" = "p"."id" WHERE "p"."name" LIKE $1 ' +
      'GROUP BY "p"."id" ORDER BY "sold" DESC LIMIT ?',
    count: 6_612,
    total: 970.2,
    max: 1.84,
    caller: 'shop/search.ts:41',
  },
  {
    statement: 'UPDATE "stock" SET "left" = "left" - $1 WHERE "product_id" = $2 AND "left" >= $1',
    count: 1_208,
    total: 131.6,
    max: 0.93,
    caller: 'shop/orders.ts:88',
  },
  {
    statement: 'SELECT * FROM "sessions" WHERE "id" = $1',
    count: 104_311,
    total: 62.4,
    max: 0.041,
    caller: null,
  },
]

/** A fleet of four with ups and downs that replaces a worker after 200 seconds. */
export function livelyFeed(step = 2): MetricsFeed {
  return new MetricsFeed(
    {
      rate: (at) => 420 + 160 * Math.sin(at / 31) + 45 * Math.sin(at / 4.3),
      median: (at) => 0.018 + 0.009 * Math.sin(at / 47),
      failing: (at) => (Math.sin(at / 60) > 0.6 ? 0.012 : 0.0004),
      workers: (at) => (at < 1_700_000_200 ? [4711, 4712, 4713, 4714] : [4711, 4712, 4714, 4808]),
      routes: shopRoutes,
    },
    step,
  )
}

function metric(type: string, list: readonly object[]): object {
  return { type, help: 'Simulated.', series: list }
}

function series(labels: Readonly<Record<string, string>>, value: number): object {
  return { labels, value }
}
