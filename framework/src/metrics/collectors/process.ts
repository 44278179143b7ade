import { existsSync, readdirSync, statSync } from 'node:fs'
import { Counter } from '../instruments/counter.ts'
import { Gauge } from '../instruments/gauge.ts'
import type { Instrument } from '../instruments/instrument.ts'
import type { Collector } from './collector-list.ts'

const descriptors = '/proc/self/fd'

/** Metrics of this process from the operating system. */
export class ProcessCollector implements Collector {
  readonly #instruments: readonly Instrument[]

  constructor() {
    const labels = { pid: String(process.pid) }
    this.#instruments = [
      new Gauge('process_memory_bytes', {
        help: 'Resident memory of the process in bytes.',
        labels,
        observe: () => process.memoryUsage.rss(),
      }),
      new Gauge('process_memory_peak_bytes', {
        help: 'Peak resident memory of the process in bytes.',
        labels,
        observe: () => process.resourceUsage().maxRSS * 1_024,
      }),
      new Counter('process_cpu_seconds_total', {
        help: 'User and system CPU time of the process in seconds.',
        labels,
        observe: cpuSeconds,
      }),
      new Gauge('process_uptime_seconds', {
        help: 'Seconds since the process started.',
        labels,
        observe: () => process.uptime(),
      }),
      ...(existsSync(descriptors) ? [openDescriptors(labels)] : []),
    ]
  }

  collect(): readonly Instrument[] {
    return this.#instruments
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

function openDescriptors(labels: Readonly<Record<string, string>>): Gauge {
  return new Gauge('process_open_fds', {
    help: 'Open files, sockets and pipes of the process.',
    labels,
    observe: () => {
      // Linux 6.2 and later report the count as the size.
      const { size } = statSync(descriptors)
      // Minus the descriptor that is open for listing.
      return size > 0 ? size : readdirSync(descriptors).length - 1
    },
  })
}
