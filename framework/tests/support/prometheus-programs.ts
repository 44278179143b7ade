import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.ts'

/** A Prometheus program: the one named by PROMETHEUS or PROMTOOL, else the system's. */
export function findPrometheusProgram(name: 'promtool' | 'prometheus'): string | null {
  const given = process.env[name.toUpperCase()] ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return findOnPath([name], ['/usr/bin'])
}
