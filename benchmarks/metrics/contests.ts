/** What is measured, by the name a contestant knows it under. */
export const Contests = {
  BoundCounter: 'bound-counter',
  PlainCounter: 'plain-counter',
  LabelledCounter: 'labelled-counter',
  BoundHistogram: 'bound-histogram',
  PlainHistogram: 'plain-histogram',
  ScrapeCounters: 'scrape-counters',
  ScrapeHistograms: 'scrape-histograms',
  RequestTelemetry: 'request-telemetry',
  FleetScrape: 'fleet-scrape',
  FreshFleetScrape: 'fresh-fleet-scrape',
} as const
export type Contests = (typeof Contests)[keyof typeof Contests]

/** The labels of the contests in the report, and in which unit their times are given. */
export const titles: Readonly<Record<Contests, { title: string; unit: 'ns' | 'ms' }>> = {
  'bound-counter': { title: 'One increment of a counter with three labels, bound', unit: 'ns' },
  'plain-counter': { title: 'One increment of a counter without labels', unit: 'ns' },
  'labelled-counter': { title: 'One increment with three labels handed over', unit: 'ns' },
  'bound-histogram': { title: 'One observation of a histogram with two labels, bound', unit: 'ns' },
  'plain-histogram': { title: 'One observation of a histogram without labels', unit: 'ns' },
  'scrape-counters': { title: 'A scrape of 10,000 counter series', unit: 'ms' },
  'scrape-histograms': { title: 'A scrape of 700 histogram series, 9,800 samples', unit: 'ms' },
  'request-telemetry': { title: 'The telemetry of one request', unit: 'ns' },
  'fleet-scrape': { title: 'A scrape of 4 workers with 2,500 counter series each', unit: 'ms' },
  'fresh-fleet-scrape': {
    title: 'The same, with every snapshot file of ours written anew before',
    unit: 'ms',
  },
}

/** The libraries by name, with their labels in the report; ours comes first. */
export const clients = {
  ours: 'ours',
  'prom-client': 'prom-client 15',
  'prometheus-io': '@prometheus-io/client 0.16',
  otel: '@opentelemetry/sdk-metrics 3',
  clock: 'two reads of the clock alone',
} as const
export type Clients = keyof typeof clients

/** Contests of whole fleets. */
export const fleetContests: readonly Contests[] = [Contests.FleetScrape, Contests.FreshFleetScrape]

/** The participants of a contest. */
export function entrantsOf(contest: Contests): readonly Clients[] {
  if (contest === Contests.RequestTelemetry) return ['ours', 'clock']
  // OpenTelemetry does not merge the workers of a fleet: its collector does.
  if (fleetContests.includes(contest)) return ['ours', 'prom-client', 'prometheus-io']
  return ['ours', 'prom-client', 'prometheus-io', 'otel']
}
