import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = join(import.meta.dirname, '..', '..', 'src')

/**
 * The files of `framework/src` in which a function ran during some work, according to V8's precise
 * coverage. Warm up first: code that runs once per process, such as a lazy import, would count too. The
 * tools of tests do not count: no visitor of a site runs them.
 */
export async function sourcesRun(work: () => Promise<unknown>): Promise<readonly string[]> {
  const inspector = new Session()
  inspector.connect()
  try {
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // Reading the counts resets them to 0.
    await inspector.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await inspector.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(sources, fileURLToPath(url)))
      .filter((path) => !path.startsWith('..') && !path.startsWith('testing/'))
      .sort()
  } finally {
    inspector.disconnect()
  }
}
