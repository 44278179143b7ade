/** Series of the counter that is scraped. */
export const counterSeries = 10_000
/** Series of the histogram that is scraped; each has 14 samples. */
export const histogramSeries = 700

/** Upper bounds, the same for all libraries. */
export const bounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Durations in seconds as a server has them: most are short, few are long. 1,024 of them. */
export const durations: Float64Array = Float64Array.from({ length: 1_024 }, (_, at) => {
  // A fixed sequence that looks random, so that all runs and all libraries see the same.
  const spread = ((at * 2_654_435_761) % 4_294_967_296) / 4_294_967_296
  return 0.001 * 10 ** (spread * 3)
})

/** The labels of one of the series that are scraped. */
export function routeLabels(at: number): { route: string; method: string; status: string } {
  return { route: `/resources/${at}`, method: 'GET', status: '200' }
}

/** The labels of the bound counter. */
export const boundLabels: { route: string; method: string; status: string } = routeLabels(5)

/** The labels of the bound histogram. */
export const boundPair: { route: string; method: string } = { route: '/resources/5', method: 'GET' }
