const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

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
  #requests = 0
  #exceptions = 0
  #sum = 0

  constructor(behaviour: Partial<Behaviour> = {}, step = 2) {
    this.#behaviour = {
      rate: () => 50,
      median: () => 0.02,
      failing: () => 0,
      workers: () => [4711],
      ...behaviour,
    }
    this.#step = step
  }

  /** Resets the counters to zero, as after a restart. */
  restart(): void {
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
    return { timestamp: this.#at, metrics: { ...this.#http(), ...this.#processes() } }
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

/** A fleet of four with ups and downs that replaces a worker after 200 seconds. */
export function livelyFeed(step = 2): MetricsFeed {
  return new MetricsFeed(
    {
      rate: (at) => 420 + 160 * Math.sin(at / 31) + 45 * Math.sin(at / 4.3),
      median: (at) => 0.018 + 0.009 * Math.sin(at / 47),
      failing: (at) => (Math.sin(at / 60) > 0.6 ? 0.012 : 0.0004),
      workers: (at) => (at < 1_700_000_200 ? [4711, 4712, 4713, 4714] : [4711, 4712, 4714, 4808]),
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
