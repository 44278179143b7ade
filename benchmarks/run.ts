/** The benchmarks by name; each takes the remaining arguments and resolves to an exit status. */
const benchmarks: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  http: async (args) => (await import('./http/benchmark.ts')).runHttp(args),
  errors: async (args) => (await import('./errors/benchmark.ts')).runErrors(args),
  storm: async (args) => (await import('./errors/storm.ts')).runStorm(args),
  metrics: async (args) => (await import('./metrics/benchmark.ts')).runMetrics(args),
  telemetry: async (args) => (await import('./telemetry/benchmark.ts')).runTelemetry(args),
  observability: async (args) =>
    (await import('./observability/benchmark.ts')).runObservability(args),
  orm: async (args) => (await import('./orm/benchmark.ts')).runOrm(args),
  sessions: async (args) => (await import('./sessions/benchmark.ts')).runSessions(args),
  product: async (args) => (await import('./product/benchmark.ts')).runProduct(args),
  languages: async (args) => (await import('./languages/benchmark.ts')).runLanguages(args),
  faults: async (args) => (await import('./faults/benchmark.ts')).runFaults(args),
  growth: async (args) => (await import('./growth/benchmark.ts')).runGrowth(args),
  passwords: async (args) => (await import('./passwords/benchmark.ts')).runPasswords(args),
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined

if (benchmark === undefined) {
  if (name !== '') console.error(`There is no benchmark called ${name}.`)
  console.error('Usage: npm run bench -- <name> [options]\n\nBenchmarks:')
  for (const known of Object.keys(benchmarks)) console.error(`  ${known}`)
  process.exitCode = 1
} else {
  try {
    process.exitCode = await benchmark(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
